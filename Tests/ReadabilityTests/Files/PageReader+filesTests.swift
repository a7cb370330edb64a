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

    private static let arabic =
        "قرر سكان الجزيرة يوم الاثنين عدم هدم المنارة القديمة بل الحفاظ عليها معا في السنوات القادمة."
    private static let german =
        "Die Bewohner der Insel haben am Montag beschlossen, den alten Leuchtturm gemeinsam zu erhalten."

    @Test(
        "files and large pages have the language and the direction of their text",
        arguments: [(arabic, "ar", "rtl"), (german, "de", "ltr")])
    func language(text: String, lang: String, direction: String) throws {
        let bytes = Array((text + "\n\n" + text).utf8)
        let line = PrintedLine(text: text, left: 50, top: 60, right: 500, bottom: 72, page: 0, pageHeight: 800)
        let readings = [
            PageReader().readPlainText(bytes, url: "https://h.example/a.txt"), PageReader().readText(bytes),
            PageReader().readPrinted(
                [line], title: nil, author: nil, pages: 1, isWhole: true, url: "https://h.example/a.pdf"),
            try PageReader().readMarkdown(bytes, url: "https://h.example/a.md") { $0 },
            try PageReader().readWhole(Array("<p>\(text)".utf8), url: "https://h.example/"),
        ]
        for reading in readings {
            #expect(reading.metadata.lang == lang && reading.article?.lang == lang)
            #expect(reading.article?.dir == direction)
        }
    }

    @Test("what a whole page states of its language, direction and site is kept")
    func stated() throws {
        let page = "<html lang=fa dir=RTL><head><meta property=og:site_name content='The site'></head><body><p>1 2 3"
        let article = try #require(try PageReader().readWhole(Array(page.utf8), url: "https://h.example/").article)
        #expect(article.lang == "fa" && article.dir == "rtl" && article.siteName == "The site")
        let text = [Self.german, Self.german, Self.german].joined(separator: " ")
        let german = try PageReader().readWhole(Array("<html lang=ar><p>\(text)".utf8), url: "https://h.example/")
        #expect(german.article?.lang == "de" && german.article?.dir == "ltr")
    }

    @Test("front matter states language, direction and site of a Markdown file")
    func statedInFrontMatter() throws {
        let file = Array("---\nlang: he\ndir: \"ltr\"\nsite: The site\n---\n1 2 3".utf8)
        let reading = try PageReader().readMarkdown(file, url: "https://h.example/a.md") { $0 }
        let article = try #require(reading.article)
        #expect(article.lang == "he" && article.dir == "ltr" && article.siteName == "The site")
    }
}
