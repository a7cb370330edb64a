import Testing

@testable import Mail

@Suite("Mail / parameters of headers")
struct HeaderParameterTests {
    @Test("short ASCII stands in quotes")
    func plain() { #expect(HeaderParameter.encoded("filename", "a b.epub") == ";\r\n filename=\"a b.epub\"") }

    @Test("other text is encoded in UTF-8, so that it cannot end the header", arguments: ["ü", "\"", "\\", "\r\nX: y"])
    func encoded(text: String) {
        let parameter = HeaderParameter.encoded("filename", text)
        #expect(parameter.hasPrefix(";\r\n filename*=UTF-8''"))
        #expect(parameter.dropFirst(3).allSatisfy { $0.isASCII && $0 != "\r\n" && $0 != "\"" && $0 != "\\" })
    }

    @Test("a long name is several pieces, each on a short line")
    func pieces() {
        let lines = HeaderParameter.encoded("filename", String(repeating: "語", count: 60) + ".epub")
            .split(separator: "\r\n ")
        #expect(lines.count > 8)
        for (number, line) in lines.dropFirst().enumerated() {
            #expect(line.utf8.count < 78 && line.hasPrefix("filename*\(number)*="))
        }
    }
}
