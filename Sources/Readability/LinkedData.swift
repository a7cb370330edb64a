import HTML

/// What a page says about its article in JSON-LD.
struct LinkedData: Equatable, Sendable {
    var title: String?
    var byline: String?
    var excerpt: String?
    var siteName: String?
    var datePublished: String?

    /// The first script that describes an article of schema.org.
    static func of(_ document: Document) -> LinkedData {
        for script in document.elements([.script], below: document.root)
        where document.attribute(script, .type, is: "application/ld+json") {
            guard let json = JSON(parsing: withoutCDATAMarks(document.textContent(script)).utf8),
                let article = article(in: json)
            else { continue }
            return LinkedData(article, pageTitle: { PageTitle.of(document) })
        }
        return LinkedData()
    }

    // MARK: Finding the article

    /// The object itself, one of a list, or one of the `@graph` of an object that has no type of its own.
    private static func article(in json: JSON) -> JSON? {
        if case .array(let values) = json {
            guard let first = values.first(where: { isArticle($0["@type"]) }) else { return nil }
            return speaksSchemaOrg(first) ? first : nil
        }
        guard speaksSchemaOrg(json) else { return nil }
        if json["@type"] == nil, let graph = json["@graph"]?.array { return graph.first { isArticle($0["@type"]) } }
        return isArticle(json["@type"]) ? json : nil
    }

    private static func speaksSchemaOrg(_ json: JSON) -> Bool {
        let context = json["@context"]
        guard let address = context?.string ?? context?["@vocab"]?.string else { return false }
        return ["http://schema.org", "http://schema.org/", "https://schema.org", "https://schema.org/"].contains(
            address)
    }

    /// Source: https://schema.org/Article and its kinds. As in Readability the first name is looked for at the beginning,
    /// the last at the end, the others anywhere.
    private static func isArticle(_ type: JSON?) -> Bool {
        guard let type = type?.string else { return false }
        let kinds = [
            "AdvertiserContentArticle", "NewsArticle", "Report", "SatiricalArticle", "ScholarlyArticle",
            "SocialMediaPosting",
            "BlogPosting", "DiscussionForumPosting", "TechArticle",
        ]
        return type.hasPrefix("Article") || type.hasSuffix("APIReference") || kinds.contains { contains($0, in: type) }
    }

    private static func contains(_ word: String, in text: String) -> Bool {
        text.indices.contains { text[$0...].hasPrefix(word) }
    }

    // MARK: Reading it

    private init(_ article: JSON, pageTitle: () -> String) {
        title = LinkedData.title(name: article["name"]?.string, headline: article["headline"]?.string, pageTitle)
        byline = LinkedData.names(of: article["author"])
        excerpt = article["description"]?.string.map(WhiteSpace.trim)
        siteName = article["publisher"]?["name"]?.string.map(WhiteSpace.trim)
        datePublished = article["datePublished"]?.string.map(WhiteSpace.trim)
    }

    init() {}

    /// Some sites write their own name as `name`: then the page's title tells that `headline` is meant.
    private static func title(name: String?, headline: String?, _ pageTitle: () -> String) -> String? {
        guard let name, let headline, name != headline else { return (name ?? headline).map(WhiteSpace.trim) }
        let title = pageTitle()
        let nameFits = TextSimilarity.of(title, to: name) > Vocabulary.sameHeadline
        let headlineFits = TextSimilarity.of(title, to: headline) > Vocabulary.sameHeadline
        return headlineFits && !nameFits ? headline : name
    }

    private static func names(of author: JSON?) -> String? {
        if let name = author?["name"]?.string { return WhiteSpace.trim(name) }
        guard let authors = author?.array, authors.first?["name"]?.string != nil else { return nil }
        return authors.compactMap { $0["name"]?.string }.map(WhiteSpace.trim).joined(separator: ", ")
    }

    /// Scripts of XHTML pages wrap their text in a CDATA section.
    private static func withoutCDATAMarks(_ text: String) -> String {
        var text = WhiteSpace.trim(text)
        if text.hasPrefix("<![CDATA[") { text.removeFirst(9) }
        if text.hasSuffix("]]>") { text.removeLast(3) }
        return text
    }
}
