/// Information about an article that the Markdown renderer needs in advance, collected in one traversal.
struct MarkdownOutline {
    /// Tables that Markdown can express: rows of cells that contain only inline content.
    private(set) var plainTables: Set<NodeID> = []
    /// Lists whose items contain paragraphs.
    private(set) var looseLists: Set<NodeID> = []
    let notes: MarkdownNotes

    private struct OpenTable {
        let node: NodeID
        var hasBlocks = false
        var cellsInRow = 0
        var columns = 0

        /// A table with a single column is used for layout; its cells become paragraphs.
        var isPlain: Bool { !hasBlocks && (2...MarkdownTable.maximumColumns).contains(columns) }
    }

    static let cells: TagSet = [.td, .th]
    private static let blocks: TagSet = [
        .table, .ul, .ol, .menu, .dir, .dl, .li, .dd, .pre, .listing, .xmp, .blockquote, .h1, .h2, .h3, .h4, .h5, .h6,
        .hr, .figure,
    ]

    init(_ document: Document, _ scope: NodeID) {
        var links: [NodeID] = []
        var open: [OpenTable] = []
        var current = document.firstChild(scope)
        while let node = current {
            let tag = document.tag(node)
            if !open.isEmpty && Self.blocks.contains(tag) { open[open.count - 1].hasBlocks = true }
            switch tag {
            case .table: open.append(OpenTable(node: node))
            case .tr where !open.isEmpty: open[open.count - 1].cellsInRow = 0
            case .td, .th:
                if !open.isEmpty {
                    open[open.count - 1].cellsInRow += MarkdownOutline.span(document, node, .colspan)
                    open[open.count - 1].columns = max(open[open.count - 1].columns, open[open.count - 1].cellsInRow)
                }
            case .p:
                if let item = document.parent(node), document.tag(item) == .li || document.tag(item) == .dd,
                    let list = document.parent(item)
                {
                    looseLists.insert(list)
                }
            case .a: links.append(node)
            default: break
            }
            if let child = document.firstChild(node) {
                current = child
                continue
            }
            current = nil
            var closing = node
            while closing != scope {
                if open.last?.node == closing, open.removeLast().isPlain { plainTables.insert(closing) }
                if let sibling = document.nextSibling(closing) {
                    current = sibling
                    break
                }
                guard let parent = document.parent(closing) else { break }
                closing = parent
            }
        }
        notes = MarkdownNotes(document, scope, links: links)
    }

    /// Returns the number of columns or rows that a cell spans, clamped to what a table may have.
    static func span(_ document: Document, _ cell: NodeID, _ name: AttributeName) -> Int {
        let span = document.attribute(cell, name).flatMap { Int(WhiteSpace.trim($0)) } ?? 1
        // 65,534 is HTML's limit for rows.
        return min(max(span, 1), name == .colspan ? MarkdownTable.maximumColumns + 1 : 65_534)
    }
}
