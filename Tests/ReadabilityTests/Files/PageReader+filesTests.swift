import HTML
import Testing

@testable import Readability

@Suite("Readability / files")
struct PageReaderFilesTests {
    @Test("the article shows an image and links to a sound or video", arguments: MediaKind.allCases)
    func media(medium: MediaKind) {
        let reading = PageReader().readMedium(medium, url: "https://h.example/a/my%20\"cup\".png?x=1&y=2")
        let content = reading.article?.content ?? ""
        #expect(reading.metadata.title == "my \"cup\".png")
        #expect(content.contains(medium == .image ? "<img src=\"https://h.example/" : "<a href=\"https://h.example/"))
        #expect((try? Sanitizer().sanitize(content)).map { $0.contains("https://h.example/") } == true)
        #expect(PageReader().readMedium(medium, url: "javascript:alert(1)").article == nil)
    }

    @Test("a Markdown file becomes a safe article with its own title")
    func markdown() throws {
        let file = "---\ntitle: \"The tea house\"\nauthor: Ann\n---\nbody"
        let reading = try PageReader().readMarkdown(Array(file.utf8), url: "https://h.example/d/a.md") { rest in
            #expect(rest == Array("body".utf8))
            return Array("<h1>The tea house</h1><p onclick=x>See <a href=b.md>b</a><script>y</script></p>".utf8)
        }
        #expect(reading.metadata.title == "The tea house" && reading.metadata.byline == "Ann")
        let content = try #require(reading.article?.content)
        #expect(
            content.contains("https://h.example/d/b.md") && !content.contains("script") && !content.contains("onclick")
                && !content.contains("<h1>"))
        #expect(reading.article?.textContent == "See b")
    }
}
