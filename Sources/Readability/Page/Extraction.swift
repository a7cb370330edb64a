import Glibc
import HTML
import Languages
import Links

/// Extracts the article from a page.
public struct Extraction: Sendable {
    public var mode: ExtractionMode
    /// Class names that are kept in `content`.
    public var keptClasses: [String]
    /// The trimming rules of mode `best`. Mode `compat` ignores them.
    public var rules: TrimmingRules
    /// How mode `best` compares parts of a page.
    public var weights = RegionWeights()
    /// Seconds since 1970. Publication dates after this time are rejected.
    public var now: Int

    public init(
        mode: ExtractionMode = .best, keptClasses: [String] = [], rules: TrimmingRules = .all, now: Int = time(nil)
    ) {
        self.mode = mode
        self.keptClasses = keptClasses
        self.rules = rules
        self.now = now
    }

    /// Returns the page's article, or nil if it has none. Pure: the same page gives the same article.
    ///
    /// - Parameters:
    ///   - page: modified in place if the caller does not use it again.
    ///   - url: the page's URL; its links are relative to this.
    public func article(in page: consuming Document, url: String) -> Article? {
        mode == .best ? article(in: page, url: url, facts: nil) : compatible(page, url: url)
    }

    /// Extracts the article in mode `best`.
    ///
    /// - Parameter facts: the page's metadata, if already known.
    func article(
        in page: consuming Document, url: String, facts: PageFacts?, trace: ExtractionTrace? = nil
    ) -> Article? {
        var document = page
        let facts = facts ?? PageFacts(document, url: url, now: now)
        let readerable = Readerable.isProbably(document)
        let sourceBytes = document.textBytes
        // Open them before `prepare` removes marks beside headings: buttons that are headings could not be recognised
        // afterwards.
        if rules.contains(.disclosures) { CollapsedParts.open(in: &document) }
        ForumAuthors.write(in: &document)
        var rich = RichContent()
        rich.prepare(&document, address: WebAddress(url))
        Preparation.unwrapNoscriptImages(&document)
        Preparation.unwrapNoscriptText(&document)
        Preparation.removeScripts(&document)
        Preparation.simplify(&document)
        let search = ArticleSearch(
            page: document, mode: mode, best: rules, title: facts.title ?? "", hasByline: facts.byline != nil,
            trace: trace)
        let claims = rules.contains(.claims) ? MarkedArticle.all(of: facts, in: document) : []
        var searched = search.find(claims)
        let words = PageWords(facts, byline: facts.byline ?? searched?.byline)
        let blocks =
            rules.isDisjoint(with: [.region, .standfirst]) ? nil : PageBlocks(search.page, words: words)
        if rules.contains(.region), let blocks { widen(&searched, search, blocks) }
        // Taken, so that the article is changed in place instead of in a copy of the page.
        guard var found = searched.take() else {
            trace?.finish(nil)
            return nil
        }
        rich.normalize(found.content, in: &found.document)
        let trimming = Trimming(
            rules: rules, page: words, replaced: found.replaced, trace: trace, attempt: found.attempt)
        let known = trimming.trim(found.content, in: &found.document)
        if rules.contains(.standfirst), let blocks {
            Standfirst(blocks: blocks).add(to: found.content, known: known, in: &found.document)
        }
        trace?.finish(found)
        rich.finish(found.content, in: &found.document)
        var polish = Polish(base: found.base, url: url, keptClasses: keptClasses, mode: mode, sourceBytes: sourceBytes)
        polish.polish(found.content, in: &found.document)
        let text = TextRenderer(omitting: [.figcaption]).render(found.document, found.content)
        let language = Languages.language(declared: facts.declaredLanguage, of: text)
        var article = Article(
            title: facts.title ?? "",
            byline: facts.byline
                ?? found.byline.flatMap { Byline.line([$0], sites: SiteNames([facts.siteName], host: nil)) },
            dir: found.direction ?? language.map(Languages.direction),
            lang: language,
            content: Serializer.innerHTML(found.document, of: found.content),
            textContent: text,
            excerpt: facts.description ?? firstParagraph(of: found),
            siteName: facts.siteName,
            publishedTime: facts.publishedTime,
            readerable: readerable)
        article.confidence = found.isUncertain ? .low : .normal
        article.facts = facts.articleMetadata(text, firstPicture: firstPicture(of: found))
        return article
    }

    /// Replaces the found article with the part of the page with most of its running text if the search has found too
    /// little of it, or with a post that the page marks if the search has found something beside it; otherwise removes
    /// comments from it if they make up most of it.
    private func widen(_ found: inout ArticleSearch.Found?, _ search: ArticleSearch, _ blocks: PageBlocks) {
        let region = PageRegion(blocks, weights: weights)
        let measure = found.map { region.measure($0) } ?? PageRegion.Measure()
        if measure.mayBeBeside, let post = blocks.markedPost(), measure.isOutside(post),
            let marked = search.find(post.node, without: blocks.foreignBoxes, cleansConditionally: false)
        {
            found = marked
            found?.isUncertain = true
            return
        }
        var isUncertain = !measure.isConvincing
        if let best = region.best(), region.prefers(best.value, to: measure.value, best.node),
            let wider = search.find(best.node, without: blocks.foreignBoxes),
            case let value = region.measure(wider).value, region.prefers(value, to: measure.value, best.node)
        {
            found = wider
            if region.isMostOfPage(value) { isUncertain = false }
        } else {
            if measure.isMostlyComments { found?.remove(blocks.commentHashes, "comments", blocks.words, search.trace) }
            found?.remove(blocks.otherHashes, "article", blocks.words, search.trace)
        }
        found?.isUncertain = isUncertain
    }

    private func compatible(_ page: consuming Document, url: String) -> Article? {
        let readerable = Readerable.isProbably(page)
        var language: String?
        if let html = page.html { language = page.attribute(html, .lang) }
        let sourceBytes = page.textBytes
        var document = page
        Preparation.unwrapNoscriptImages(&document)
        let linked = LinkedData.of(document)
        Preparation.removeScripts(&document)
        Preparation.simplify(&document)
        let metadata = Metadata(document, linked: linked)
        let search = ArticleSearch(
            page: document, mode: mode, best: [], title: metadata.title, hasByline: metadata.byline != nil)
        guard var found = search.find() else { return nil }
        var polish = Polish(base: found.base, url: url, keptClasses: keptClasses, mode: mode, sourceBytes: sourceBytes)
        polish.polish(found.content, in: &found.document)
        return Article(
            title: metadata.title,
            byline: metadata.byline ?? found.byline,
            dir: found.direction,
            lang: language,
            content: Serializer.innerHTML(found.document, of: found.content),
            textContent: TextRenderer().render(found.document, found.content),
            excerpt: metadata.excerpt ?? firstParagraph(of: found),
            siteName: metadata.siteName,
            publishedTime: metadata.publishedTime,
            readerable: readerable)
    }

    /// Returns the URL of the first image that is at least 200 pixels wide or has no width.
    private func firstPicture(of found: ArticleSearch.Found) -> String? {
        found.document.elements([.img], below: found.content).lazy.prefix(20).compactMap { image in
            let width = found.document.attribute(image, .width).flatMap { Int($0) } ?? .max
            guard width >= 200, let source = found.document.attribute(image, .src), source.hasPrefix("http") else {
                return nil
            }
            return PreviewPicture.isPlaceholder(source) ? nil : source
        }.first
    }

    private func firstParagraph(of found: ArticleSearch.Found) -> String? {
        found.document.first([.p], below: found.content).map { WhiteSpace.trim(found.document.textContent($0)) }
    }
}

extension ArticleSearch.Found {
    /// Removes blocks of the page, unless nothing else would be left.
    fileprivate mutating func remove(
        _ hashes: Set<UInt64>, _ rule: String, _ words: PageWords, _ trace: ExtractionTrace?
    ) {
        guard !hashes.isEmpty else { return }
        let list = BlockList(content, in: document)
        let rows = list.blocks.indices.filter { hashes.contains(list.blocks[$0].hash) }
        guard rows.count < list.blocks.count else { return }
        var classifier = BlockClassifier(list, rules: [], page: words)
        for row in rows {
            classifier.drop(row)
            for text in list.texts[list.blocks[row].texts] { trace?.remove(text, rule, from: document, in: attempt) }
        }
        BlockRemoval(list: list, classifier: classifier).run(below: content, in: &document)
    }
}
