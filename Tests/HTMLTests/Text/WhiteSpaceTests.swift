import HTML
import Testing

@Suite("HTML / white space")
struct WhiteSpaceTests {
    @Test("two or more white-space characters become one space; a single one stays")
    func collapse() {
        #expect(WhiteSpace.collapse(" a\u{A0}b \n c\nd ") == "a\u{A0}b c\nd")
    }

    @Test(
        "trimming removes the white space that JavaScript knows, and nothing else",
        arguments: [
            (" \t\n x y \r\u{C}", "x y"), ("\u{A0}\u{1680}\u{2003}x\u{2028}\u{202F}\u{205F}\u{3000}\u{FEFF}", "x"),
            ("\u{200B}x", "\u{200B}x"), ("  ", ""), ("", ""),
        ])
    func trim(text: String, expected: String) { #expect(WhiteSpace.trim(text) == expected) }

    @Test("HTML's white space has five characters")
    func ascii() {
        #expect((UInt8.min...UInt8.max).filter(WhiteSpace.isASCII) == [0x09, 0x0A, 0x0C, 0x0D, 0x20])
    }
}
