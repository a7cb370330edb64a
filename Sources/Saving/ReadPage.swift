import HTML
import Readability

/// Page → Reading: what the page says of itself, and its article.
struct ReadPage {
    func callAsFunction(_ page: Page) -> Reading {
        guard let html = page.html else { return Reading(missing: .notHTML) }
        guard let document = try? Document(parsing: html), let a = Extraction().article(in: document, url: page.url) else { return Reading(missing: .noArticle) }
        return Reading(title: a.title, article: StoredArticle(title: a.title, content: a.content, textContent: a.textContent, length: a.length, wordCount: 0))
    }
}
