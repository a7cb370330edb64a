import Testing

@testable import Charsets

private func decoded(_ bytes: [UInt8], pieces: Int = 7) -> String {
    var (text, decoded): (TextInPieces, [UInt8]) = (.init(), [])
    for start in stride(from: 0, to: bytes.count, by: pieces) {
        decoded += text.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    return String(decoding: decoded + text.end(), as: UTF8.self)
}

@Suite("Charsets / text in pieces")
struct TextInPiecesTests {
    @Test("UTF-8 stays as it is, also where a declaration says otherwise", arguments: [7, 1_000, 100_000])
    func utf8(pieces: Int) {
        let text = "<meta charset=windows-1251>" + String(repeating: "Grüße, 日本語\n", count: 20_000)
        #expect(decoded(Array(text.utf8), pieces: pieces) == text)
    }

    @Test("no character is torn between pieces", arguments: [7, 1_000, 100_000])
    func pieces(length: Int) {
        // "日本語", 20,000 times: the second bytes are letters and brackets of ASCII.
        let japanese: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA]
        let bytes = Array("<meta charset=shift_jis>".utf8) + (0..<20_000).flatMap { _ in japanese + [0x20] }
        let text = decoded(bytes, pieces: length)
        #expect(text == "<meta charset=shift_jis>" + String(repeating: "日本語 ", count: 20_000))
    }

    @Test("characters beyond ASCII may come late")
    func late() {
        let bytes = Array(String(repeating: "a plain line\n", count: 20_000).utf8) + [0x93, 0x68, 0x69, 0x94]
        #expect(decoded(bytes, pieces: 5_000).hasSuffix("line\n\u{201C}hi\u{201D}"))
    }

    @Test("a damaged character of UTF-8 does not change the others")
    func damaged() {
        var (text, bytes): (TextInPieces, [UInt8]) = (.init(), Array("é è ".utf8) + [0xC3, 0x20])
        bytes = text.add(bytes) + text.end()
        #expect(bytes == Array("é è ".utf8) + [0xC3, 0x20])
    }

    @Test("damaged characters in several places of UTF-8 do not change the others")
    func damagedTwice() {
        let lines = Array(String(repeating: "a line without accents\n", count: 2_000).utf8)
        let plain = lines + [0xC3, 0x2C] + lines
        let japanese = Array(String(repeating: "日本語 ", count: 8_000).utf8) + [0xE6, 0x97, 0x2C]
        #expect(decoded(plain + japanese, pieces: 5_000).contains(String(repeating: "日本語 ", count: 8_000)))
    }

    @Test("a text that says that it is UTF-8 is never taken for another encoding")
    func declared() {
        let bytes = Array("<meta charset=utf-8> Caf".utf8) + [0xC3, 0x2C]
        var (first, second): (TextInPieces, TextInPieces) = (.init(), .init(isUTF8: true))
        #expect(first.add(bytes) + first.end() == bytes)
        #expect(second.add([0x43, 0xC3, 0x2C]) + second.end() == [0x43, 0xC3, 0x2C])
    }

    @Test("bytes that are not text are returned as they are")
    func binary() {
        var text = TextInPieces()
        let bytes: [UInt8] = [0x50, 0x4B, 3, 4, 0, 0xFF, 0x80]
        #expect(text.add(bytes) + text.end() == bytes)
    }
}
