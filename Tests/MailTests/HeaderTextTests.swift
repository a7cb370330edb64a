import Testing

@testable import Mail

@Suite("Mail / header text")
struct HeaderTextTests {
    @Test("short plain text stays unchanged")
    func plain() {
        #expect(HeaderText.encoded("Sign in to Lectern", after: 9, isPhrase: false) == "Sign in to Lectern")
    }

    @Test("a phrase with special characters is encoded, other text with them is not")
    func phrase() {
        #expect(HeaderText.encoded("a, b", after: 6, isPhrase: false) == "a, b")
        #expect(HeaderText.encoded("a, b", after: 6, isPhrase: true) == "=?utf-8?B?YSwgYg==?=")
    }

    @Test("a line break becomes a space")
    func lineBreak() {
        #expect(HeaderText.encoded("a\nBcc: b", after: 9, isPhrase: false) == "a Bcc: b")
    }

    @Test("no encoded word is longer than 75 bytes")
    func long() {
        let words = HeaderText.encoded(String(repeating: "ж", count: 200), after: 9, isPhrase: false).split(
            separator: "\r\n ")
        #expect(words.count > 1 && words.allSatisfy { $0.utf8.count <= 75 })
    }
}
