import Testing

@testable import Readability

@Suite("Readability / phrase lists")
struct PhraseListTests {
    private let list = PhraseList("sign in\n# German\nanmelden\n続きを読む\nl'accès")

    private func normalized(_ text: String) -> [UInt8] { PhraseList.normalized(Array(text.utf8)) }

    @Test(
        "a phrase is found as whole words, in any case and with any spaces",
        arguments: [
            "Please SIGN\u{A0}\n in now", "Jetzt anmelden!", "今すぐ続きを読むには", "L’accès",
        ])
    func found(text: String) { #expect(list.isIn(normalized(text))) }

    @Test(
        "parts of words and comment lines are not found",
        arguments: ["design into", "sign inside", "German", "sign", ""])
    func notFound(text: String) { #expect(!list.isIn(normalized(text))) }

    @Test("a text that equals a phrase may have punctuation around it")
    func whole() {
        #expect(list.isAll(of: normalized("[Sign in…]".replacing("…", with: "..."))))
        #expect(!list.isAll(of: normalized("sign in now")))
        #expect(!list.isAll(of: normalized("...")))
    }

    @Test("the fast path and the general path agree", arguments: ["À «x» – ‘y’", "ÄÖÜß\t\u{A0}x", "a\u{2026}"])
    func paths(text: String) {
        // A character outside Latin-1 forces the general path.
        #expect(normalized(text + " 灯") == normalized(text) + Array(" 灯".utf8))
    }
}
