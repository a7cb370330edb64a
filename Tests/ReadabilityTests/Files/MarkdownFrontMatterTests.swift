import Testing

@testable import Readability

@Suite("Readability / Markdown front matter")
struct MarkdownFrontMatterTests {
    @Test(
        "dashes that are not front matter stay",
        arguments: ["---\ntext without end", "text", "", "----\na: b\n----\n", "---"])
    func noMatter(file: String) {
        var bytes = Array(file.utf8)
        #expect(MarkdownFrontMatter.take(from: &bytes) == MarkdownFrontMatter())
        #expect(bytes == Array(file.utf8))
    }

    @Test(
        "a text in quotation marks is any text, and only the outer marks are removed",
        arguments: [
            (#""[1] > 'two'""#, "[1] > 'two'"), (#""'quoted'""#, "'quoted'"), ("[1]", nil), (#"""#, #"""#),
        ] as [(String, String?)])
    func quoted(written: String, title: String?) {
        var bytes = Array("---\ntitle: \(written)\n---\n".utf8)
        #expect(MarkdownFrontMatter.take(from: &bytes).title == title && bytes.isEmpty)
    }
}
