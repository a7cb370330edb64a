import HTML
import Jobs
import Readability

/// Page → Reading: what the page says of itself, and its article or why there is none.
struct ReadPage: Sendable {
    private let reader: PageReader
    private let memory: ReadingMemory
    /// Bytes that reading takes at most for each byte of a page.
    static let memoryPerByte = 15

    /// - Parameters:
    ///   - sourceBytes: the largest page that is read, in UTF-8.
    ///   - memory: shared by all that read at the same time.
    init(sourceBytes: Int = ParseBudget().sourceBytes, memory: ReadingMemory) {
        var budget = ParseBudget()
        budget.sourceBytes = sourceBytes
        reader = PageReader(budget: budget)
        self.memory = memory
    }

    func callAsFunction(_ page: Page) throws(SaveError) -> Reading {
        guard let html = page.html else { return Reading(title: Self.fileName(of: page.url), missing: .notHTML) }
        let found: PageReading
        do throws(ParseError) {
            found = try memory.reserving(ReadPage.memoryPerByte * html.utf8.count) { () throws(ParseError) in
                try reader.read(html, url: page.url)
            }
        } catch {
            return Reading(missing: .overBudget)
        }
        let metadata = found.metadata
        return Reading(
            title: Self.clean(metadata.title, most: 1_000) ?? Self.clean(found.article?.title, most: 1_000),
            description: Self.clean(metadata.description ?? found.article?.excerpt, most: 5_000),
            siteName: Self.clean(metadata.siteName, most: 500),
            image: Self.clean(metadata.image, most: 8_192),
            lang: Self.clean(metadata.lang ?? found.article?.lang, most: 100),
            canonical: Self.clean(metadata.canonical ?? metadata.openGraphURL, most: 8_192),
            article: found.article.map(Self.clean),
            missing: found.article == nil ? .noArticle : nil)
    }

    /// The last part of a file's address: a better title than none.
    private static func fileName(of url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return clean(path.split(separator: "/").dropFirst(2).last.map(String.init), most: 500)
    }

    /// Text PostgreSQL can hold, of a length a list can bear; nil when nothing is left.
    private static func clean(_ text: String?, most: Int) -> String? {
        guard let text else { return nil }
        let trimmed = withoutNUL(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return trimmed.isEmpty ? nil : String(trimmed.prefix(most))
    }

    private static func clean(_ article: StoredArticle) -> StoredArticle {
        var article = article
        article.title = clean(article.title, most: 1_000) ?? ""
        article.byline = clean(article.byline, most: 1_000)
        article.excerpt = clean(article.excerpt, most: 5_000)
        article.siteName = clean(article.siteName, most: 500)
        article.lang = clean(article.lang, most: 100)
        article.publishedTime = clean(article.publishedTime, most: 200)
        article.content = withoutNUL(article.content)
        article.textContent = withoutNUL(article.textContent)
        return article
    }

    private static func withoutNUL(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}
