/// Renders HTML as Markdown: CommonMark with GitHub's tables and strike-through, and footnotes. Constructs that
/// Markdown cannot express become inline HTML (`sub`, `sup`, `mark`, `ins`, and emphasis whose delimiters a parser
/// would not recognize) or plain text. A box (☐, ☑) at the beginning of a list item makes it an item of a task list.
///
/// A Markdown parser reproduces the text of the HTML, the URLs of its links and images, and the lines of its code. Time
/// and output size are proportional to the HTML, at any nesting depth.
///
/// Source: https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/#tables-extension-
public enum Markdown {
    /// Returns the Markdown of everything below a node. It ends with a line feed unless it is empty.
    public static func render(_ document: Document, _ scope: NodeID) -> String {
        var walk = MarkdownWalk(document: document, outline: MarkdownOutline(document, scope))
        walk.run(below: scope)
        return walk.writer.finish()
    }
}

extension Markdown {
    /// Returns the Markdown of an article; its HTML where that is larger than can be parsed.
    ///
    /// - Parameter html: a fragment, such as the stored content of an article.
    public static func render(article html: String) -> String {
        // Stored articles can be larger than the pages they come from, because their URLs are absolute.
        var budget = ParseBudget()
        budget.sourceBytes *= 4
        guard let document = try? Document(parsing: html, budget: budget) else { return html }
        return render(document, document.body ?? document.root)
    }
}

/// Traverses HTML and calls the writer at the start and end of each element.
private struct MarkdownWalk {
    let document: Document
    let outline: MarkdownOutline
    var writer = MarkdownWriter()

    /// The action at the end of an element.
    private enum End {
        case nothing, box, boxAndMark, heading, mark, code, container, list, table
        case cell(columns: Int, rows: Int)
    }

    private var ends: [End] = []

    init(document: Document, outline: MarkdownOutline) {
        self.document = document
        self.outline = outline
    }

    private static let boxes: TagSet = [
        .address, .article, .aside, .body, .center, .details, .dialog, .div, .fieldset, .figure, .footer, .form,
        .header, .hgroup,
        .legend, .main, .nav, .option, .p, .search, .section, .tbody, .thead, .tfoot, .td, .th, .tr,
    ]
    private static let skipped: TagSet = [
        .script, .style, .template, .head, .title, .noembed, .noframes, .select, .textarea, .datalist, .svg,
    ]

    mutating func run(below scope: NodeID) {
        var current = document.firstChild(scope)
        while let node = current {
            let end = begin(node)
            if let end, let child = document.firstChild(node) {
                ends.append(end)
                current = child
                continue
            }
            if let end { close(end) }
            current = nil
            var closing = node
            while true {
                if let sibling = document.nextSibling(closing) {
                    current = sibling
                    break
                }
                guard let end = ends.popLast(), let parent = document.parent(closing) else { break }
                close(end)
                closing = parent
            }
        }
    }

    /// Writes the start of a node. Returns nil if its content is already written or skipped.
    private mutating func begin(_ node: NodeID) -> End? {
        if document.isText(node) {
            document.withText(node) { writer.addText($0) }
            return nil
        }
        let tag = document.tag(node)
        if Self.skipped.contains(tag) || document.isSVG(node) { return nil }
        if tag == .foreign, document.localTag(node) == .math, let tex = document.attribute(node, named: "alttext") {
            writer.addFormula(tex, isDisplay: document.attribute(node, named: "display") == "block")
            return nil
        }
        if let label = outline.notes.labelOfReference[node] {
            writer.addNoteReference(label)
            return nil
        }
        if let label = outline.notes.labelOfNote[node] {
            writer.beginNote(label)
            return .container
        }
        return beginBlock(node, tag) ?? beginInline(node, tag)
    }

    /// Returns nil if the element is not a block.
    private mutating func beginBlock(_ node: NodeID, _ tag: Tag) -> End? {
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6:
            writer.beginHeading(level: Int(tag.rawValue - Tag.h1.rawValue) + 1)
            return .heading
        case .blockquote:
            writer.beginQuote()
            return .container
        case .ul, .menu, .dir, .dl:
            writer.beginList(from: nil, isTight: !outline.looseLists.contains(node))
            return .list
        case .ol:
            let first = document.attribute(node, .start).flatMap { Int(WhiteSpace.trim($0)) } ?? 1
            writer.beginList(from: first, isTight: !outline.looseLists.contains(node))
            return .list
        case .li, .dd:
            writer.beginItem()
            return .container
        case .dt, .summary: return beginBox(with: .strong)
        case .figcaption, .caption: return beginBox(with: .emphasis)
        case .table where outline.plainTables.contains(node):
            writer.beginTable()
            return .table
        case .tr where isInPlainTable(node):
            writer.beginRow(isHead: isHead(node))
            return .nothing
        case .td, .th:
            guard let row = document.parent(node), isInPlainTable(row) else { return beginBox() }
            writer.beginCell()
            return .cell(
                columns: MarkdownOutline.span(document, node, .colspan),
                rows: MarkdownOutline.span(document, node, .rowspan))
        case .table: return beginBox()
        default: return Self.boxes.contains(tag) ? beginBox() : nil
        }
    }

    private mutating func beginBox(with mark: MarkdownMark.Kind? = nil) -> End {
        writer.breakBlock()
        if let mark, writer.beginMark(mark) { return .boxAndMark }
        return .box
    }

    private mutating func beginInline(_ node: NodeID, _ tag: Tag) -> End? {
        switch tag {
        case .br: writer.addLineBreak()
        case .hr: writer.addRule()
        case .pre, .listing, .xmp: writer.addCode(preformatted(node), language: CodeLanguage.of(node, in: document))
        case .img:
            writer.addImage(
                document.attribute(node, .src) ?? "", text: document.attribute(node, .alt) ?? "",
                title: document.attribute(node, .title) ?? "")
        case .iframe, .embed, .object, .video, .audio:
            guard let address = address(ofMedia: node) else { return beginBox() }
            writer.addMedia(address, title: document.attribute(node, .title) ?? "")
        case .input:
            if document.attribute(node, .type)?.lowercased() == "checkbox" {
                writer.addCheckbox(isChecked: document.attribute(node, named: "checked") != nil)
            }
        case .code, .kbd, .samp, .tt:
            writer.inline.beginCode()
            return .code
        case .a: return beginLink(node)
        default:
            guard let mark = mark(of: node, tag), writer.beginMark(mark) else { return .nothing }
            return .mark
        }
        return nil
    }

    private mutating func beginLink(_ node: NodeID) -> End? {
        switch outline.notes.backLink(node, in: document) {
        case .label: return nil
        case .text: return .nothing
        case nil:
            guard let address = document.attribute(node, .href),
                writer.beginLink(address, title: document.attribute(node, .title) ?? "")
            else { return .nothing }
            return .mark
        }
    }

    private mutating func close(_ end: End) {
        switch end {
        case .nothing: break
        case .box: writer.breakBlock()
        case .boxAndMark:
            writer.breakBlock()
            writer.inline.endMark()
        case .heading: writer.endBlock()
        case .mark: writer.inline.endMark()
        case .code: writer.inline.endCode()
        case .container: writer.endContainer()
        case .list: writer.endList()
        case .table: writer.endTable()
        case .cell(let columns, let rows): writer.endCell(columns: columns, rows: rows)
        }
    }

    // MARK: Element properties

    private func mark(of node: NodeID, _ tag: Tag) -> MarkdownMark.Kind? {
        switch tag {
        case .b, .strong: .strong
        case .i, .em, .cite, .dfn, .var: .emphasis
        case .del, .s, .strike: .deleted
        case .ins: .inserted
        case .mark: .highlighted
        case .sub: .lowered
        case .sup: outline.notes.raisedElements.contains(node) ? nil : .raised
        default: nil
        }
    }

    private func isInPlainTable(_ row: NodeID) -> Bool {
        guard document.tag(row) == .tr, var table = document.parent(row) else { return false }
        if [.tbody, .thead, .tfoot].contains(document.tag(table)), let parent = document.parent(table) {
            table = parent
        }
        return outline.plainTables.contains(table)
    }

    private func isHead(_ row: NodeID) -> Bool {
        document.parent(row).map { document.tag($0) == .thead } ?? false
            || document.allChildren(row) { document.tag($0) != .td }
    }

    private func address(ofMedia node: NodeID) -> String? {
        let own = document.attribute(node, .src) ?? document.attribute(node, named: "data")
        if let own, !own.isEmpty { return own }
        return document.childElements(node).lazy.filter { document.tag($0) == .source }
            .compactMap { document.attribute($0, .src) }.first { !$0.isEmpty }
    }

    /// Returns the text unchanged, with each line break as a line feed.
    private func preformatted(_ node: NodeID) -> [UInt8] {
        var text: [UInt8] = []
        document.forEachNode(below: node) { inner in
            if document.isText(inner) {
                document.withText(inner) { bytes in
                    // A carriage return also ends a line in Markdown. Any that remain were written as character
                    // references.
                    for byte in bytes { text.append(byte == 0x0D ? 0x0A : byte) }
                }
                return
            }
            let tag = document.tag(inner)
            let breaksLine = tag == .br || (TextRenderer.blocks.contains(tag) && text.last != 0x0A && !text.isEmpty)
            if breaksLine { text.append(0x0A) }
        }
        return text
    }
}
