import HTML
import Testing

@testable import Readability

@Suite("Readability / trimming")
struct TrimmingTests {
    @Test("every paragraph stays, whatever is removed around it")
    func paragraphs() throws {
        let page = try TrimmedPage(
            before: "<p>By A. Author</p>", inside: "<p><a href=/x>Read more: cows</a></p>", after: "<h3>Related</h3>")
        for paragraph in TrimmedPage.paragraphs { #expect(page.article.content.contains(paragraph)) }
    }

    @Test("nothing is removed if most of the text would be")
    func safetyNet() throws {
        let page = try Document(
            parsing: "<article><p>One dozen words are what a paragraph has that is running text here.</p>"
                + String(repeating: "<p>Read more: MARK MARK MARK MARK MARK MARK MARK</p>", count: 9) + "</article>")
        #expect(Extraction().article(in: page, url: "")?.textContent.contains("MARK") == true)
    }

    @Test("text without spaces is measured by its characters")
    func ideographs() throws {
        let text = "船は毎朝六時に島へ向かい、パンと手紙と、天気の悪い日には二頭の牛を運ぶ。船長は三十年この仕事をしている。"
        let page = try Document(
            parsing: "<article><p>2024年3月12日</p><p>\(text)</p><p>\(text)船</p><p>関連記事：MARK</p><p>\(text)島</p></article>")
        let found = try #require(Extraction().article(in: page, url: ""))
        #expect(found.textContent.hasPrefix(text) && !found.textContent.contains("MARK"))
    }
}
