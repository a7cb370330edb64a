import Testing

@testable import Mail

@Suite("Mail / quoted-printable")
struct QuotedPrintableTests {
    @Test("bytes beyond printable ASCII and the equals sign are escaped")
    func escaped() { #expect(QuotedPrintable.encoded("a=é\u{1}") == "a=3D=C3=A9=01") }

    @Test("a space is escaped only at the end of a line")
    func space() { #expect(QuotedPrintable.encoded("a b \nc\t") == "a b=20\r\nc=09") }

    @Test("long lines get soft line breaks, and no escape is split")
    func long() {
        let lines = QuotedPrintable.encoded(String(repeating: "é", count: 100)).split(separator: "\r\n")
        #expect(lines.count > 1 && lines.allSatisfy { $0.utf8.count <= 76 })
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix("=") && $0.utf8.count % 3 == 1 })
    }
}
