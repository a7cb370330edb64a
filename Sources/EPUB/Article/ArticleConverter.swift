import HTML

/// Turns the HTML of an article into XHTML that a book may contain: valid whatever the article holds, with its pictures
/// as files of the book, and with no resource of the web.
///
/// The new tree is built only from what is allowed, so nothing has to be found and removed. The sanitizer limits the
/// depth of an article, and so the depth of the recursion.
struct ArticleConverter {
    let document: Document
    /// The name of the file of each picture, by its URL in the article.
    let pictures: [String: String]
    /// The ids of the book's elements, each of which is used once.
    var ids: BookIDs
    /// The headings in document order.
    private(set) var headings: [Heading] = []
    /// Sources of the pictures that are missing in the book, each once.
    private(set) var missingPictures: [String] = []
    private var missingSources: Set<String> = []
    private(set) var usedPictures: Set<String> = []
    private(set) var hasFormulas = false
    private(set) var hasPicturesWithoutText = false

    /// The id of the first mark of each highlight; nil where the text does not hold it.
    private(set) var highlightIDs: [String?]

    private let marks: HighlightMarks
    let footnotes: Footnotes
    /// Rows of the elements that contain a block.
    let holdsBlocks: [Bool]

    struct Heading: Equatable {
        var level: Int
        var title: String
        var id: String
    }

    /// Characters of a heading in a table of contents.
    private static let maxHeading = 200

    init(_ document: Document, pictures: [String: String], highlights: [BookHighlight] = [], ids: BookIDs) {
        self.document = document
        self.pictures = pictures
        self.ids = ids
        let scope = document.body ?? document.root
        footnotes = Footnotes(document, scope)
        marks = HighlightMarks(highlights, document, scope)
        highlightIDs = Array(repeating: nil, count: highlights.count)
        var holdsBlocks = Array(repeating: false, count: document.nodeCount)
        for block in document.elements(ContentModel.block, below: scope) {
            for ancestor in document.ancestors(block) {
                guard !holdsBlocks[ancestor.row] else { break }
                holdsBlocks[ancestor.row] = true
            }
        }
        self.holdsBlocks = holdsBlocks
        self.ids.beginArticle(targets: Self.targets(document, scope))
    }

    /// The ids that links of the article lead to.
    private static func targets(_ document: Document, _ scope: NodeID) -> Set<String> {
        Set(
            document.elements([.a], below: scope).compactMap { link in
                document.attribute(link, .href).flatMap { $0.hasPrefix("#") ? String($0.dropFirst()) : nil }
            })
    }

    mutating func convert() -> [Markup] {
        children(of: document.body ?? document.root, ContentModel.Place())
    }

    // MARK: - Nodes

    mutating func children(of node: NodeID, _ place: ContentModel.Place) -> [Markup] {
        var output: [Markup] = []
        var current = document.firstChild(node)
        while let child = current {
            add(child, to: &output, place)
            current = document.nextSibling(child)
        }
        return output
    }

    mutating func add(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        guard document.isElement(node) else {
            if document.isText(node) { addText(node, to: &output) }
            return
        }
        let tag = document.tag(node)
        switch tag {
        case _ where ContentModel.removed.contains(tag): return
        case .foreign: addFormula(node, to: &output)
        case .img, .image: addPicture(node, to: &output, place)
        case _ where ContentModel.embedded.contains(tag): addEmbedded(node, to: &output, place)
        case .br, .wbr: output.append(.element(tag.spelling))
        case .a: addLink(node, to: &output, place)
        case .ruby: addRuby(node, to: &output, place)
        case _ where ContentModel.inline[tag] != nil: addInline(node, to: &output, place)
        case _ where !ContentModel.block.contains(tag): unwrap(node, to: &output, place)
        case _ where !place.allowsBlocks: addBlockInLine(node, to: &output, place)
        case .p, .summary: addBlock("p", node, to: &output, place.line)
        case .pre, .listing, .xmp, .plaintext:
            addBlock("pre", node, to: &output, place.line.within { $0.isPreformatted = true })
        case .hr: output.append(.element("hr"))
        case .ul, .ol, .menu, .dir: addList(node, to: &output, place)
        case .dl: addDescriptions(node, to: &output, place)
        case .table: addTable(node, to: &output, place)
        case .figure: addFigure(node, to: &output, place)
        case _ where ContentModel.headings[tag] != nil: addHeading(node, to: &output, place)
        default:
            let name = ContentModel.blocks[tag] ?? "div"
            let isSection = name == "section" || name == "aside"
            addBlock(isSection && !place.allowsHeadings ? "div" : name, node, to: &output, place)
        }
    }

    private mutating func addText(_ node: NodeID, to output: inout [Markup]) {
        for piece in marks.pieces(of: document.textContent(node), at: node) {
            guard let highlight = piece.highlight, !Markup.text(piece.text).isBlank else {
                output.append(.text(piece.text))
                continue
            }
            var mark = MarkupElement("mark", [.text(piece.text)])
            if highlightIDs[highlight] == nil {
                let id = ids.next()
                highlightIDs[highlight] = id
                mark["id"] = id
            }
            output.append(.element(mark))
        }
    }

    // MARK: - Blocks

    mutating func addBlock(_ name: String, _ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        var element = element(name, of: node)
        element.children = children(of: node, place)
        output.append(.element(element))
    }

    private mutating func addHeading(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        guard let level = ContentModel.headings[document.tag(node)], place.allowsHeadings else {
            return addBlock("p", node, to: &output, place.line)
        }
        var element = element("h\(level)", of: node)
        element.children = children(of: node, place.line)
        let title = XMLText.line(document.textContent(node), limit: Self.maxHeading)
        if !title.isEmpty {
            let id = element["id"] ?? ids.next()
            element["id"] = id
            headings.append(Heading(level: level, title: title, id: id))
        }
        output.append(.element(element))
    }

    /// A block where only a line of text is allowed: its content, set apart by line breaks.
    private mutating func addBlockInLine(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        guard document.tag(node) != .hr else { return output.append(.element("br")) }
        let separator: Markup = place.isPreformatted ? .text("\n") : .element("br")
        if output.last != separator, output.contains(where: { !$0.isBlank }) { output.append(separator) }
        unwrap(node, to: &output, place)
        if document.nextSibling(node) != nil { output.append(separator) }
    }

    /// The content of an element without the element itself.
    mutating func unwrap(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        if let id = ids.id(of: document.attribute(node, .id)) { output.append(.element("span", ["id": id])) }
        output += children(of: node, place)
    }

    // MARK: - Attributes

    /// An element with the attributes that any element may have.
    mutating func element(_ name: String, of node: NodeID) -> MarkupElement {
        var element = MarkupElement(name)
        element["id"] = ids.id(of: document.attribute(node, .id))
        if let language = LanguageTag.cleaned(document.attribute(node, .lang)) {
            element["lang"] = language
            element["xml:lang"] = language
        }
        if let direction = document.attribute(node, .dir)?.lowercased(), ["ltr", "rtl", "auto"].contains(direction) {
            element["dir"] = direction
        }
        if let title = document.attribute(node, .title), !title.isEmpty { element["title"] = XMLText.line(title) }
        if let style = BookStyle.cleaned(document.attribute(node, .style)) { element["style"] = style }
        if footnotes.notes.contains(node) { element["epub:type"] = "footnote" }
        return element
    }

    // MARK: - Counting, for the files beside this one

    mutating func use(_ picture: String, hasText: Bool) {
        usedPictures.insert(picture)
        if !hasText { hasPicturesWithoutText = true }
    }

    mutating func miss(_ source: String) {
        if missingSources.insert(source).inserted { missingPictures.append(source) }
    }

    mutating func foundFormula() { hasFormulas = true }
}
