import HTML
import JSON

/// A page's JSON-LD metadata about its article.
struct LinkedData: Equatable, Sendable {
    var title: String?
    var byline: String?
    var excerpt: String?
    var siteName: String?
    var datePublished: String?

    /// Reads the first script that describes a schema.org article.
    static func of(_ document: Document) -> LinkedData {
        for script in document.elements([.script], below: document.root)
        where document.attribute(script, .type, is: "application/ld+json") {
            guard let json = JSON(parsing: withoutCDATAMarks(document.text(of: script))),
                let article = article(in: json)
            else { continue }
            return LinkedData(article, pageTitle: { PageTitle.of(document) })
        }
        return LinkedData()
    }

    // MARK: Finding the article

    /// Returns the object itself, one of a list, or one of the `@graph` of an object without a type.
    private static func article(in json: JSON) -> JSON? {
        if let values = json.array { return firstArticle(of: values).flatMap { isSchemaOrg($0) ? $0 : nil } }
        guard isSchemaOrg(json) else { return nil }
        if isFalsy(json["@type"]), let graph = json["@graph"]?.array { return firstArticle(of: graph) }
        return isArticle(json["@type"]) ? json : nil
    }

    /// A null, or a type that is not text (such as a list of types), before the article ends the search: Readability
    /// throws there and skips the script.
    private static func firstArticle(of values: [JSON]) -> JSON? {
        let end = values.first { value in
            let type = value["@type"]
            return value == .null || isArticle(type) || !isFalsy(type) && type?.string == nil
        }
        return isArticle(end?["@type"]) ? end : nil
    }

    /// Returns whether there is no type: it is missing, or a value that is false in JavaScript.
    private static func isFalsy(_ type: JSON?) -> Bool {
        switch type {
        case nil, .null, .bool(false), .number(0), .string(""): true
        default: false
        }
    }

    private static func isSchemaOrg(_ json: JSON) -> Bool {
        let context = json["@context"]
        guard let address = context?.string ?? context?["@vocab"]?.string else { return false }
        return ["http://schema.org", "http://schema.org/", "https://schema.org", "https://schema.org/"].contains(
            address)
    }

    /// Source: https://schema.org/Article and its subtypes. As in Readability, the first name is matched at the start,
    /// the last at the end, and the others anywhere.
    private static func isArticle(_ type: JSON?) -> Bool {
        guard let type = type?.string else { return false }
        let kinds = [
            "AdvertiserContentArticle", "NewsArticle", "Report", "SatiricalArticle", "ScholarlyArticle",
            "SocialMediaPosting",
            "BlogPosting", "DiscussionForumPosting", "TechArticle",
        ]
        return type.hasPrefix("Article") || type.hasSuffix("APIReference") || kinds.contains { type.contains($0) }
    }

    // MARK: Reading the article

    private init(_ article: JSON, pageTitle: () -> String) {
        title = LinkedData.title(name: article["name"]?.string, headline: article["headline"]?.string, pageTitle)
        byline = LinkedData.names(of: article["author"])
        excerpt = article["description"]?.string.map(WhiteSpace.trim)
        siteName = article["publisher"]?["name"]?.string.map(WhiteSpace.trim)
        datePublished = article["datePublished"]?.string.map(WhiteSpace.trim)
    }

    init() {}

    /// Some sites write their own name into `name`. If only `headline` matches the page's title, it is used instead.
    private static func title(name: String?, headline: String?, _ pageTitle: () -> String) -> String? {
        guard let name, let headline, name != headline else { return (name ?? headline).map(WhiteSpace.trim) }
        let title = pageTitle()
        let nameFits = TextSimilarity(to: name).of(title) > Vocabulary.sameHeadline
        let headlineFits = TextSimilarity(to: headline).of(title) > Vocabulary.sameHeadline
        return headlineFits && !nameFits ? headline : name
    }

    private static func names(of author: JSON?) -> String? {
        if let name = author?["name"]?.string { return WhiteSpace.trim(name) }
        guard let authors = author?.array, authors.first?["name"]?.string != nil else { return nil }
        return authors.compactMap { $0["name"]?.string }.map(WhiteSpace.trim).joined(separator: ", ")
    }

    /// Scripts of XHTML pages wrap their text in a CDATA section.
    private static func withoutCDATAMarks(_ written: [UInt8]) -> ArraySlice<UInt8> {
        let trimmed = WhiteSpace.trim(written)
        let opens = trimmed.starts(with: "<![CDATA[".utf8)
        let closes = trimmed.suffix(3).elementsEqual("]]>".utf8)
        let start = opens ? trimmed.startIndex + 9 : written.startIndex
        let end = closes ? trimmed.endIndex - 3 : written.endIndex
        return written[start..<max(start, end)]
    }
}
