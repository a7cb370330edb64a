import HTML

/// How pages are read.
public enum Mode: String, Sendable, CaseIterable {
    /// What Mozilla Readability would answer.
    case compat
    /// What users get: trimmed, and picture captions are no words of the article.
    case best
}

/// Takes the article out of a page.
public struct Extraction: Sendable {
    public var mode: Mode
    /// Class names that stay in `content`.
    public var keptClasses: [String]
    /// What mode best trims; the other takes no notice of it.
    public var rules: BestRules

    public init(mode: Mode = .best, keptClasses: [String] = [], rules: BestRules = .all) {
        self.mode = mode
        self.keptClasses = keptClasses
        self.rules = rules
    }

    /// The page's article, or nil when it has none. Pure: the same page gives the same article.
    ///
    /// - Parameters:
    ///   - page: is changed in place where the caller has no more use for it.
    ///   - url: the page's address, to which its links are relative.
    public func article(in page: consuming Document, url: String) -> Article? {
        let readerable = Readerable.isProbably(page)
        var language: String?
        if let html = page.html { language = page.attribute(html, .lang) }
        let sourceBytes = page.textBytes
        var document = page
        var rich = RichContent()
        if mode == .best { rich.prepare(&document, address: WebAddress(url)) }
        Preparation.unwrapNoscriptImages(&document)
        let linked = LinkedData.of(document)
        Preparation.removeScripts(&document)
        Preparation.simplify(&document)
        let metadata = Metadata(document, linked: linked, mode: mode)
        let search = ArticleSearch(
            page: document, mode: mode, title: metadata.title, hasByline: metadata.byline != nil)
        guard var found = search.find() else { return nil }
        if mode == .best {
            rich.settle(found.content, in: &found.document)
            let words = PageWords(metadata, byline: metadata.byline ?? found.byline)
            Trimming(rules: rules, page: words, replaced: found.replaced).trim(found.content, in: &found.document)
            rich.finish(found.content, in: &found.document)
        }
        var polish = Polish(base: found.base, url: url, keptClasses: keptClasses, mode: mode, sourceBytes: sourceBytes)
        polish.polish(found.content, in: &found.document)
        return Article(
            title: metadata.title,
            byline: metadata.byline ?? found.byline,
            dir: found.direction,
            lang: language,
            content: Serializer.innerHTML(found.document, of: found.content),
            textContent: TextRenderer(omitting: mode == .best ? [.figcaption] : []).render(
                found.document, found.content),
            excerpt: metadata.excerpt ?? firstParagraph(of: found),
            siteName: metadata.siteName,
            publishedTime: metadata.publishedTime,
            readerable: readerable)
    }

    private func firstParagraph(of found: ArticleSearch.Found) -> String? {
        found.document.first([.p], below: found.content).map { WhiteSpace.trim(found.document.textContent($0)) }
    }
}
