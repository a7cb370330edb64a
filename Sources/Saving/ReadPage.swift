import Jobs
import Languages
import Readability
import ReaderProcess

/// Page → ExtractedPage: what the page says of itself, and its article or why there is none.
struct ReadPage: Sendable {
    private let processes: ReaderPool
    private let pdfProcesses: ReaderPool?

    /// - Parameters:
    ///   - processes: shared by all that read at the same time.
    ///   - pdfProcesses: of the program that reads PDF files; without it they are files like any other.
    init(_ processes: ReaderPool, pdf pdfProcesses: ReaderPool? = nil) {
        self.processes = processes
        self.pdfProcesses = pdfProcesses
    }

    func callAsFunction(_ page: Page) throws(SaveError) -> ExtractedPage {
        var reading = try whole(page)
        if page.html == nil {
            // What a file is, it tells by itself; text that is read as an article is one.
            let kind = PageKind(contentType: page.contentType)
            reading.kind = kind == .other && reading.article != nil ? .article : kind
            if case .pdf = page.file { reading.kind = .pdf }
            reading.enclosure = CheckedMetadata.enclosure(ofFile: page)
        }
        return reading
    }

    private func whole(_ page: Page) throws(SaveError) -> ExtractedPage {
        if let html = page.html {
            return try read(by: processes) { ReaderRequest(.page, url: page.url, html: Array(html.utf8), status: page.status) }
        }
        switch page.file {
        case .plainText(let text): return try read(by: processes) { ReaderRequest(.plainText, url: page.url, html: text) }
        case .markdown(let text): return try read(by: processes) { ReaderRequest(.markdown, url: page.url, html: text) }
        case .pdf(let file):
            guard let pdfProcesses else { break }
            var reading = try read(by: pdfProcesses) { ReaderRequest(.pdf, url: page.url, html: file) }
            reading.title = reading.title ?? FileName.of(page.url)
            return reading
        case .medium(let medium):
            let found = PageReader().readMedium(medium, url: page.url)
            return Self.reading(found, missing: MissingArticle(found))
        case nil: break
        }
        return ExtractedPage(title: Self.clean(FileName.of(page.url), most: 500), missing: .notHTML)
    }

    private func read(by processes: ReaderPool, _ request: () -> ReaderRequest) throws(SaveError) -> ExtractedPage {
        do throws(ReaderPool.Failure) {
            switch try processes.read(request) {
            case .read(let found): return Self.reading(found, missing: MissingArticle(found))
            case .overBudget(let text?): return Self.reading(text, missing: .overBudget)
            case .overBudget(nil): return ExtractedPage(missing: .overBudget)
            }
        } catch {
            throw SaveError(error)
        }
    }

    private static func reading(_ found: PageReading, missing: MissingArticle?) -> ExtractedPage {
        let metadata = found.metadata
        return ExtractedPage(
            title: clean(metadata.title, most: 1_000) ?? clean(found.article?.title, most: 1_000),
            description: clean(metadata.description ?? found.article?.excerpt, most: 5_000),
            siteName: clean(metadata.siteName, most: 500),
            image: clean(metadata.image, most: 8_192),
            lang: Languages.tag(metadata.lang ?? found.article?.lang),
            byline: clean(metadata.byline ?? found.article?.byline, most: 1_000),
            publishedAt: CheckedMetadata.time(metadata.publishedAt ?? metadata.publishedTime),
            // What was not understood may be anything.
            kind: missing == .overBudget || found.interstitial?.replacesSavedPage == true ? nil : metadata.kind,
            enclosure: CheckedMetadata.enclosure(metadata.enclosure),
            icon: CheckedMetadata.address(metadata.icon),
            canonical: clean(metadata.canonical ?? metadata.openGraphURL, most: 8_192),
            article: found.article.map(clean),
            missing: missing)
    }

    /// Text PostgreSQL can hold, of a length a list can bear; nil when nothing is left.
    private static func clean(_ text: String?, most: Int) -> String? {
        OneLine.of(text?.withoutNUL, most: most)
    }

    private static func clean(_ article: StoredArticle) -> StoredArticle {
        var article = article
        article.title = clean(article.title, most: 1_000) ?? ""
        article.byline = clean(article.byline, most: 1_000)
        article.excerpt = clean(article.excerpt, most: 5_000)
        article.siteName = clean(article.siteName, most: 500)
        article.lang = Languages.tag(article.lang)
        article.publishedAt = CheckedMetadata.time(article.publishedAt ?? article.publishedTime)
        article.readingTime = article.readingTime.map { min(max($0, 1), CheckedMetadata.longestReading) }
        article.publishedTime = clean(article.publishedTime, most: 200)
        article.content = article.content.withoutNUL
        article.textContent = article.textContent.withoutNUL
        return article
    }
}

extension String {
    /// As PostgreSQL can hold it.
    var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}

extension SaveError {
    /// What becomes of a page that could not be read: one that ended the process it was read in has had a try; it may have
    /// been something else that ended it.
    init(_ failure: ReaderPool.Failure) {
        switch failure {
        case .unavailable(let why): self = .outage(JobFailure(reason: "reader", message: why))
        case .crashed(let how):
            self = .failed(
                Failure(
                    cause: JobFailure(reason: Self.crashed, message: "The process that read the page \(how)."),
                    shown: JobFailure(
                        reason: Self.crashed, message: "Reading this page went wrong. The server's log tells how."),
                    isRetryable: true))
        }
    }

    private static let crashed = "reader_crashed"
}
