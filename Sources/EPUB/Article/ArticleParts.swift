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

    /// Bytes of text from which an article is divided at its headings, and the least that a part has before the next
    /// begins. E-readers lay out a whole file at once, which takes seconds from some 250 kB on.
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
        guard body.reduce(0, { $0 + $1.weight }) > longText else { return [body] }
        let body = opened(body)
        // The highest level that divides: there may be a single h1, the title.
        let levels = body.map(headingLevel)
        let level = (1...6).first { level in levels.count { $0 == level } >= 2 }
        var (parts, weight) = ([[Markup]()], 0)
        for (node, own) in zip(body, levels) {
            let size = node.weight
            let isHeading = own != nil && own == level
            if (isHeading && weight >= minPart) || (weight > 0 && weight + size > maxPart) {
                // Links to the heading lead to the file that begins with it.
                let targets = parts[parts.count - 1].reversed().prefix(while: isTarget).reversed()
                parts[parts.count - 1].removeLast(targets.count)
                parts.append(Array(targets))
                weight = 0
            }
            parts[parts.count - 1].append(node)
            weight += size
        }
        return parts
    }

    /// Whether a node is only what links lead to, in place of the box that had its id.
    private static func isTarget(_ node: Markup) -> Bool {
        guard case .element(let element) = node else { return false }
        return element.name == "div" && element["id"] != nil && element.children.isEmpty
    }

    /// The level of the heading that a node is or begins with.
    private static func headingLevel(_ node: Markup) -> Int? {
        guard case .element(let element) = node else { return nil }
        if let level = (1...6).first(where: { element.name == "h\($0)" }) { return level }
        guard boxes.contains(element.name) else { return nil }
        return element.children.first { !$0.isBlank }.flatMap(headingLevel)
    }

    // MARK: - Boxes

    /// Elements that only group blocks.
    private static let boxes: Set<String> = ["div", "section"]
    /// Elements that stand as well without a box around them.
    private static let blocks: Set<String> = [
        "aside", "blockquote", "div", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre",
        "section", "table", "ul",
    ]
    /// What the children of a box have from it.
    private static let inherited: Set<String> = ["lang", "xml:lang", "dir", "style"]

    /// The blocks in place of the boxes around them, as far as a box is large enough to be divided.
    private static func opened(_ nodes: [Markup]) -> [Markup] {
        nodes.flatMap { node -> [Markup] in
            guard case .element(let box) = node, boxes.contains(box.name), node.weight > minPart,
                box.attributes.allSatisfy({ $0.name == "id" || inherited.contains($0.name) }),
                box.children.allSatisfy({ $0.isBlank || isBlock($0) })
            else { return [node] }
            let target = box["id"].map { [Markup.element("div", ["id": $0])] } ?? []
            return target + opened(box.children.map { withAttributes(of: box, $0) })
        }
    }

    private static func isBlock(_ node: Markup) -> Bool {
        guard case .element(let element) = node else { return false }
        return blocks.contains(element.name)
    }

    private static func withAttributes(of box: MarkupElement, _ node: Markup) -> Markup {
        guard case .element(var element) = node else { return node }
        // The language has two attributes, which belong together.
        let hasLanguage = element["lang"] != nil
        for attribute in box.attributes where inherited.contains(attribute.name) {
            switch attribute.name {
            case "style": element["style"] = attribute.value + (element["style"].map { "; " + $0 } ?? "")
            case "dir": element["dir"] = element["dir"] ?? attribute.value
            default: if !hasLanguage { element[attribute.name] = attribute.value }
            }
        }
        return .element(element)
    }
}
