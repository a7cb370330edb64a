import Testing

@testable import Charsets

@Suite("Charsets / encoding")
struct EncodingTests {
    @Test(
        "a label names an encoding in any case and with white space around it",
        arguments: [
            ("UTF8", "utf-8"), (" latin1\n", "windows-1252"), ("SJIS", "shift_jis"), ("gb2312", "gbk"),
            ("ascii", "windows-1252"),
        ])
    func label(label: String, name: String) { #expect(Encoding(label: label)?.name == name) }

    @Test("an unknown label is nil", arguments: ["", "utf-9", "utf 8", "none"])
    func unknown(label: String) { #expect(Encoding(label: label) == nil) }

    @Test("a declaration in the page cannot mean UTF-16 or a user-defined encoding")
    func declared() {
        #expect(Encoding.utf16BE.asDeclaredInPage == .utf8 && Encoding.utf16LE.asDeclaredInPage == .utf8)
        #expect(
            Encoding.userDefined.asDeclaredInPage == .windows1252 && Encoding.iso2022JP.asDeclaredInPage == .iso2022JP)
    }
}
