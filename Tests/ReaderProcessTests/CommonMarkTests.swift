import Testing

@testable import ReaderProcess

@Suite("ReaderProcess / CommonMark")
struct CommonMarkTests {
    private func html(_ markdown: String) -> String {
        String(decoding: CommonMark.html(Array(markdown.utf8)), as: UTF8.self)
    }

    @Test(
        "CommonMark and what GitHub adds to it is read",
        arguments: [
            ("# Tea\n\nA *cup*.", "<h1>Tea</h1>\n<p>A <em>cup</em>.</p>\n"),
            ("```swift\nlet a\n```", "<pre><code class=\"language-swift\">let a\n</code></pre>\n"),
            ("~~no~~", "<p><del>no</del></p>\n"),
            ("see https://h.example/a", "<p>see <a href=\"https://h.example/a\">https://h.example/a</a></p>\n"),
            ("", ""),
        ])
    func kinds(markdown: String, expected: String) { #expect(html(markdown) == expected) }

    @Test("tables and footnotes are read")
    func tables() {
        #expect(html("| a | b |\n|---|---|\n| 1 | 2 |").contains("<td>2</td>"))
        #expect(html("A claim.[^1]\n\n[^1]: The note.").contains("The note."))
    }

    @Test("HTML passes through, invalid UTF-8 and NUL do not")
    func bytes() {
        #expect(html("<b>x</b>").contains("<b>x</b>"))
        #expect(
            String(decoding: CommonMark.html([0x61, 0xFF, 0x00, 0x62]), as: UTF8.self) == "<p>a\u{FFFD}\u{FFFD}b</p>\n")
    }

    @Test("deep nesting does not exhaust the stack", arguments: ["> ", "* ", "[", "**a ", "- - ", "<b>", "![a]("])
    func nesting(piece: String) { #expect(!html(String(repeating: piece, count: 5_000) + "x").isEmpty) }
}
