import Jobs
import Languages
import Readability
import ReaderProcess

/// Page → ExtractedPage: reads the metadata of a page, and its article or the reason there is none.
struct ReadPage: Sendable {
    private let processes: ReaderPool
    private let pdfProcesses: ReaderPool?

    /// - Parameters:
    ///   - processes: shared by all threads.
    ///   - pdfProcesses: processes of the program that reads PDF files; without them PDF files are not read.
    init(_ processes: ReaderPool, pdf pdfProcesses: ReaderPool? = nil) {
        self.processes = processes
        self.pdfProcesses = pdfProcesses
    }

    /// - Throws: where a process fails; a page without an article is not an error.
    func callAsFunction(_ page: Page) throws(SaveError) -> ExtractedPage {
        guard !page.isArticle else { return try article(page) }
        var extracted = try read(page)
        if page.html == nil {
            // The kind of a file is its media type's. Text that is read as an article is an article.
            let kind = PageKind(contentType: page.contentType)
            extracted.kind = kind == .other && extracted.article != nil ? .article : kind
            if case .pdf = page.file { extracted.kind = .pdf }
            extracted.enclosure = MetadataCheck.enclosure(ofFile: page)
        }
        return extracted
    }

    /// An imported article as a whole, with the metadata of its file.
    private func article(_ page: Page) throws(SaveError) -> ExtractedPage {
        var extracted = page.html == nil ? try read(page) : try whole(page)
        if extracted.article != nil { extracted.kind = .article }
        (extracted.canonical, extracted.icon, extracted.enclosure) = (nil, nil, nil)
        return extracted
    }

    /// All of an HTML page as an article.
    func whole(_ page: Page) throws(SaveError) -> ExtractedPage {
        try read(page, by: processes) {
            ReaderRequest(.wholePage, url: page.url, html: Array((page.html ?? "").utf8))
        }
    }

    private func read(_ page: Page) throws(SaveError) -> ExtractedPage {
        if let html = page.html {
            return try read(page, by: processes) {
                ReaderRequest(.page, url: page.url, html: Array(html.utf8), status: page.status)
            }
        }
        switch page.file {
        case .plainText(let text):
            return try read(page, by: processes) { ReaderRequest(.plainText, url: page.url, html: text) }
        case .markdown(let text):
            return try read(page, by: processes) { ReaderRequest(.markdown, url: page.url, html: text) }
        case .pdf(let file):
            guard let pdfProcesses else { break }
            var extracted = try read(page, by: pdfProcesses) { ReaderRequest(.pdf, url: page.url, html: file) }
            extracted.title = extracted.title ?? FileName.of(page.url)
            return extracted
        case .epub(let file):
            return try read(page, by: processes) { ReaderRequest(.epub, url: page.url, html: file) }
        case .medium(let medium):
            let reading = PageReader().readMedium(medium, url: page.url)
            return ExtractedPage(page, reading, missing: MissingArticle(reading))
        case nil: break
        }
        return ExtractedPage(
            page: page, title: ExtractedPage.clean(FileName.of(page.url), limit: 500), missing: .notHTML)
    }

    private func read(
        _ page: Page, by processes: ReaderPool, _ request: () -> ReaderRequest
    ) throws(SaveError) -> ExtractedPage {
        do throws(ReaderPool.Failure) {
            switch try processes.read(request) {
            case .read(let reading): return ExtractedPage(page, reading, missing: MissingArticle(reading))
            case .overBudget(let text?): return ExtractedPage(page, text, missing: .overBudget)
            case .overBudget(nil): return ExtractedPage(page: page, missing: .overBudget)
            }
        } catch {
            throw SaveError(error)
        }
    }
}

extension ExtractedPage {
    /// Checks what a reader process has read.
    fileprivate init(_ page: Page, _ reading: PageReading, missing: MissingArticle?) {
        let metadata = reading.metadata
        self.init(
            page: page,
            title: Self.clean(metadata.title, limit: 1_000) ?? Self.clean(reading.article?.title, limit: 1_000),
            description: Self.clean(metadata.description ?? reading.article?.excerpt, limit: 5_000),
            siteName: Self.clean(metadata.siteName, limit: 500),
            image: Self.clean(metadata.image, limit: 8_192),
            lang: Languages.tag(metadata.lang ?? reading.article?.lang),
            byline: Self.clean(metadata.byline ?? reading.article?.byline, limit: 1_000),
            publishedAt: MetadataCheck.time(metadata.publishedAt ?? metadata.publishedTime),
            // The kind of a page that was not understood is unknown.
            kind: missing == .overBudget || reading.interstitial?.replacesSavedPage == true ? nil : metadata.kind,
            enclosure: MetadataCheck.enclosure(metadata.enclosure),
            icon: MetadataCheck.address(metadata.icon),
            canonical: Self.clean(metadata.canonical ?? metadata.openGraphURL, limit: 8_192),
            article: reading.article.map(Self.clean),
            missing: missing)
    }

    /// Text that PostgreSQL can store, on one line of limited length; nil when nothing is left.
    fileprivate static func clean(_ text: String?, limit: Int) -> String? { OneLine.of(text?.withoutNUL, limit: limit) }

    private static func clean(_ article: StoredArticle) -> StoredArticle {
        var article = article
        article.title = clean(article.title, limit: 1_000) ?? ""
        article.byline = clean(article.byline, limit: 1_000)
        article.excerpt = clean(article.excerpt, limit: 5_000)
        article.siteName = clean(article.siteName, limit: 500)
        article.lang = Languages.tag(article.lang)
        article.publishedAt = MetadataCheck.time(article.publishedAt ?? article.publishedTime)
        article.readingTime = article.readingTime.map { min(max($0, 1), MetadataCheck.maxReadingTime) }
        article.publishedTime = clean(article.publishedTime, limit: 200)
        article.content = article.content.withoutNUL
        article.textContent = article.textContent.withoutNUL
        return article
    }
}

extension String {
    /// The text as PostgreSQL can store it.
    var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}
