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
}
