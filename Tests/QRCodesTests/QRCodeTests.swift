@testable import QRCodes
import Testing

@Suite("QRCodes / QR codes")
struct QRCodeTests {
    private static let finder = [
        "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
    ]

    @Test("three corners have the pattern by which readers find a code")
    func finders() throws {
        let code = try #require(QRCode("https://lectern.example.org/pair/#ABCDE-FGHJK"))
        // Version 4 holds 46 bytes at level Q.
        #expect(code.width == 33)
        for (top, left) in [(0, 0), (0, code.width - 7), (code.width - 7, 0)] {
            let seen = (0..<7).map { row in
                String((0..<7).map { code[top + row, left + $0] ? Character("#") : "." })
            }
            #expect(seen == Self.finder)
        }
    }

    @Test("the image has a light border of four modules and draws every dark module")
    func image() throws {
        let code = try #require(QRCode("A"))
        #expect(code.svg.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29""#))
        // The first row begins with the upper edge of a finder.
        #expect(code.svg.contains(#"d="M4 4h7v1h-7z"#))
        let runs = code.svg.matches(of: /h(\d+)v1h-/).compactMap { Int($0.1) }
        #expect(runs.reduce(0, +) == code.modules.count { $0 })
    }

    @Test("two texts have different codes, and one text always the same")
    func content() {
        #expect(QRCode("a") == QRCode("a") && QRCode("a") != QRCode("b"))
    }

    @Test("a text that does not fit is no code", arguments: ["", "a\0b", String(repeating: "a", count: 1_664)])
    func refused(text: String) { #expect(QRCode(text) == nil) }
}
