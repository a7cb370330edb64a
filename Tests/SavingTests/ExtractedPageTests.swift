import Readability
import Testing

@testable import Saving

@Suite("Saving / extracted pages")
struct ExtractedPageTests {
    private func page(_ missing: MissingArticle?, article: StoredArticle? = nil) -> ExtractedPage {
        ExtractedPage(page: Page(url: "http://a/", contentType: "text/html"), article: article, missing: missing)
    }

    @Test("an empty shell and another page do not describe the saved page; any other page does")
    func tells() {
        #expect(!page(.behind(.empty)).tellsOfPage && !page(.behind(.loginWall)).tellsOfPage)
        #expect(page(.noArticle).tellsOfPage && page(.behind(.index)).tellsOfPage && page(nil).tellsOfPage)
    }

    @Test("a page without an article has no quality, and plain text of a large page is not whole")
    func quality() {
        #expect(page(.noArticle).quality == nil)
        let article = StoredArticle(title: "", content: "", textContent: "abc", length: 3, wordCount: 1)
        #expect(page(nil, article: article).quality == ArticleQuality(source: .server, letters: 3))
        #expect(page(.overBudget, article: article).quality?.isWhole == false)
    }
}
