import HTML
import Languages

/// The facts a page states about itself. Its sources contradict each other and some are wrong, so each fact is chosen
/// from several.
struct PageFacts {
    var title: String?
    var description: String?
    var siteName: String?
    var byline: String?
    /// As written in the page.
    var publishedTime: String?
    /// ISO 8601.
    var publishedAt: String?
    /// A BCP 47 tag, as the page declares it.
    var declaredLanguage: String?
    var canonical: String?
    var openGraphURL: String?
    /// The URLs that may be the lead picture, best source first.
    var pictures: [String] = []
    var logo: String?
    var icon: String?
    var enclosure: Enclosure?
    /// `video` or `audio` if the page is built around a player.
    var player: PageKind?
    var openGraphType: String?
    var linkedType: String?
    /// The host, without `www.`.
    var domain: String?
    var categories: [String] = []
    /// The article's text from the JSON-LD. It may be HTML.
    var articleBody: String?
    /// The elements marked as the article's text, and all `article` elements.
    var articleBodies: [NodeID] = []
    var articles: [NodeID] = []

    /// - Parameters:
    ///   - url: the page's URL. Relative URLs are resolved against the page's `base`, or else against this.
    ///   - now: seconds since 1970.
    init(_ document: Document, url: String, now: Int) {
        let sources = FactElements(document)
        let addresses = AddressResolver(document, url: url)
        let metas = sources.metas
        canonical = Self.canonical(sources.links, document, addresses)
        openGraphURL = addresses.absolute(metas[.openGraphURL])
        let titles =
            ([sources.title, metas[.openGraphTitle]]
            + sources.headings.prefix(3).map { document.shortText($0, maxBytes: Headline.maxHeadingBytes) })
            .compactMap { $0.map { NormalizedText($0).text } }.filter { !$0.isEmpty }
        let graph = LinkedGraph(sources.scripts, in: document)
        let linked = LinkedArticle(
            graph, addresses: Set([url, canonical, openGraphURL].compactMap { $0.map(Self.normalized) }), titles: titles
        )
        linkedType = linked?.type
        openGraphType = metas[.type]?.lowercased()

        let siteObject = (graph.first(ofType: "WebSite")?["name"]?.string).flatMap { OneLine.of($0, limit: 200) }
        var sites = SiteNames([metas[.siteName], linked?.siteName, siteObject], host: Self.host(of: url))
        let headline = Headline(sources, in: document, linked: linked, sites: sites)
        title = headline.text
        sites.add(headline.site)
        siteName = Self.site([metas[.siteName], siteObject, linked?.siteName, headline.site])

        let language = document.html.flatMap { document.shortValue($0, .lang, maxBytes: 64) }
        declaredLanguage =
            [language, metas[.language], linked?.language, metas[.locale]].lazy.compactMap { Languages.tag($0) }.first
        var cached: NearHeadline?
        let nearHeadline = {
            let found = cached ?? NearHeadline(Self.heading(of: headline.text, sources, document), in: document)
            cached = found
            return found
        }
        byline = Authors.byline(sources, in: document, linked: linked, sites: sites, nearHeadline: nearHeadline)
        let date = PublicationDate(
            sources, in: document, linked: linked, url: url, languages: declaredLanguage.map { [$0] } ?? [], now: now,
            nearHeadline: nearHeadline)
        publishedTime = date.written.flatMap { OneLine.of($0, limit: 200) }
        publishedAt = date.text
        description = OneLine.of(metas[.description] ?? linked?.description, limit: 5_000)

        pictures = (metas.all(.image) + (linked?.images ?? []) + Self.images(sources, document)).compactMap(
            addresses.absolute)
        logo = addresses.absolute(linked?.logo)
        icon = addresses.absolute(PageIcon.best(sources.links, in: document))
        let media = PageMedia(sources, in: document, linked: linked, addresses: addresses)
        enclosure = media.enclosure
        player = media.player
        domain = Self.host(of: url).map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
        categories = Self.categories(metas)
        articleBody = linked?.body
        articleBodies = sources.properties("articlebody", in: document)
        articles = sources.articles
    }

    /// Returns the metadata of an article with this text.
    func articleMetadata(_ text: String, firstPicture: String?) -> ArticleMetadata {
        let tally = WordCount.tally(of: text)
        return ArticleMetadata(
            publishedAt: publishedAt, kind: PageKind(self, words: tally.count), wordCount: tally.count,
            readingTime: ReadingTime.minutes(for: tally),
            image: PreviewPicture.choose(pictures, logo: logo, inArticle: firstPicture), icon: icon,
            canonical: canonical, enclosure: enclosure, domain: domain, categories: categories)
    }

    /// Each category once. A page may list hundreds, so only the first twenty are kept.
    private static func categories(_ metas: MetaTable) -> [String] {
        var categories: [String] = []
        var known: Set<String> = []
        for written in metas.all(.category) {
            for part in written.split(separator: ",") {
                guard categories.count < 20 else { return categories }
                if let name = OneLine.of(String(part), limit: 100), known.insert(NormalizedText(name).text).inserted {
                    categories.append(name)
                }
            }
        }
        return categories
    }

    /// Normalizes a URL so that the different URLs of one page compare equal.
    static func normalized(_ address: String) -> String {
        var rest = address.utf8.prefix { $0 != UInt8(ascii: "#") }
        for scheme in ["https://", "http://"] where rest.starts(with: scheme.utf8) {
            rest = rest.dropFirst(scheme.utf8.count)
        }
        if rest.starts(with: "www.".utf8) { rest = rest.dropFirst(4) }
        return String(Substring(rest.last == UInt8(ascii: "/") ? rest.dropLast() : rest))
    }

    private static func host(of url: String) -> String? {
        let parts = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .split(separator: UInt8(ascii: "/"), maxSplits: 2)
        guard parts.count >= 2, parts[0].last == UInt8(ascii: ":"),
            let host = parts[1].split(separator: UInt8(ascii: "@")).last?.prefix(while: { $0 != UInt8(ascii: ":") })
        else { return nil }
        return host.isEmpty ? nil : String(Substring(host))
    }

    private static func canonical(_ links: [NodeID], _ document: Document, _ addresses: AddressResolver) -> String? {
        links.lazy.filter { document.hasWord("canonical", $0, .rel) }
            .compactMap { addresses.absolute(document.shortValue($0, .href, maxBytes: 4_096)) }.first
    }

    private static func images(_ sources: FactElements, _ document: Document) -> [String] {
        let links = sources.links.filter { document.hasWord("image_src", $0, .rel) }.compactMap {
            document.shortValue($0, .href, maxBytes: 4_096)
        }
        let properties = sources.properties("image", in: document).prefix(3).compactMap {
            document.shortValue($0, .src, maxBytes: 4_096) ?? document.shortValue($0, .href, maxBytes: 4_096)
                ?? document.shortValue($0, .content, maxBytes: 4_096)
        }
        return links + properties
    }

    /// The heading that equals the title, or else the first heading.
    private static func heading(of title: String?, _ sources: FactElements, _ document: Document) -> NodeID? {
        let wanted = title.map { NormalizedText($0).text }
        return sources.headings.prefix(8).first {
            document.shortText($0, maxBytes: Headline.maxHeadingBytes).map { NormalizedText($0).text } == wanted
        } ?? sources.headings.first
    }

    /// The first candidate that is a name and not a URL.
    private static func site(_ names: [String?]) -> String? {
        let names = names.compactMap { $0.flatMap { OneLine.of($0, limit: 200) } }.filter { !$0.contains("://") }
        return names.first { $0.contains(" ") || !$0.contains(".") } ?? names.first
    }
}
