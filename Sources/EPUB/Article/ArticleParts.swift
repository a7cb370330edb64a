import HTML

/// An article as files of a book: one, or several where it is long.
struct ArticleParts {
    struct Part {
        var file: String
        var content: [Markup]
    }

    var parts: [Part] = []
    var headings: [ArticleConverter.Heading]
    var hasFormulas: Bool
    var hasPicturesWithoutText: Bool
    var usedPictures: Set<String>
    var missingPictures: [String]

    /// Bytes of text from which an article is divided at its headings, and the least that a part has. E-readers lay out
    /// a whole file at once, which takes seconds from some 250 kB on.
    private static let longText = 100_000
    private static let minPart = 20_000
    /// Bytes of a part without headings from which it is divided between paragraphs.
    private static let maxPart = 250_000

    /// - Parameters:
    ///   - article: the article.
    ///   - file: the name of its first file without `.xhtml`; the others have a number appended.
    ///   - pictures: the file of each picture, by its URL in the article.
    ///   - ids: the ids of the book.
    init(_ article: BookArticle, file: String, pictures: [String: String], ids: inout BookIDs) {
        // Content that cannot be parsed exceeds the limits under which articles are made.
        let document = (try? Document(parsing: article.content)) ?? Document()
        var converter = ArticleConverter(document, pictures: pictures, highlights: article.highlights, ids: ids)
        let body = Self.innermost(converter.convert())
        ids = converter.ids
        headings = converter.headings
        hasFormulas = converter.hasFormulas
        hasPicturesWithoutText = converter.hasPicturesWithoutText
        usedPictures = converter.usedPictures
        missingPictures = converter.missingPictures
        for (number, content) in Self.divided(body).enumerated() {
            parts.append(Part(file: number == 0 ? "\(file).xhtml" : "\(file)-\(number + 1).xhtml", content: content))
        }
        if let list = HighlightList.section(of: article, ids: converter.highlightIDs) {
            parts[parts.count - 1].content.append(list)
        }
    }

    /// The content of elements that hold all of an article.
    private static func innermost(_ body: [Markup]) -> [Markup] {
        var body = body
        while case .element(let only)? = body.first(where: { !$0.isBlank }), body.count(where: { !$0.isBlank }) == 1,
            only.name == "div" || only.name == "section", only.attributes.isEmpty
        {
            body = only.children
        }
        return body
    }

    private static func divided(_ body: [Markup]) -> [[Markup]] {
        let weights = body.map(\.weight)
        guard weights.reduce(0, +) > longText else { return [body] }
        // The highest level that divides: there may be a single h1, the title.
        let levels = (1...6).map { level in body.count { $0.element(named: "h\(level)") != nil } }
        let level = levels.firstIndex { $0 >= 2 }.map { "h\($0 + 1)" }
        var (parts, weight) = ([[Markup]()], 0)
        for (node, own) in zip(body, weights) {
            let isHeading = level.map { node.element(named: $0) != nil } ?? false
            if (isHeading && weight >= minPart) || (weight > 0 && weight + own > maxPart) {
                parts.append([])
                weight = 0
            }
            parts[parts.count - 1].append(node)
            weight += own
        }
        return parts
    }
}
