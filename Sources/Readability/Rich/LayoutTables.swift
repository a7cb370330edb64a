import HTML

/// Replaces tables that only lay out a page with their content, in order. Data tables stay.
enum LayoutTables {
    private struct Shape {
        var rows = 0
        var maxCells = 0
        /// The number of block elements in cells: paragraphs, lists, headings, pictures.
        var blocks = 0
        var hasTable = false
        var isMarkedAsData = false
    }

    private static let rowParts: TagSet = [.thead, .tbody, .tfoot]
    private static let blocks: TagSet = [
        .p, .div, .ul, .ol, .h1, .h2, .h3, .h4, .h5, .h6, .blockquote, .figure, .img, .pre, .hr,
    ]

    /// Elements that are content even without text.
    private static let contentTags: TagSet = [.img, .video, .audio, .svg, .math, .iframe, .figure]

    static func flatten(below content: NodeID, in document: inout Document) {
        let tables = document.elements([.table], below: content)
        guard !tables.isEmpty else { return }
        let shapes = shapes(below: content, in: document)
        for table in tables where isLayout(table, shapes[table] ?? Shape(), in: document) {
            flatten(table, in: &document)
        }
    }

    private static func isLayout(_ table: NodeID, _ shape: Shape, in document: Document) -> Bool {
        if document.attribute(table, .role, is: "presentation") || document.attribute(table, .role, is: "none") {
            return true
        }
        if shape.isMarkedAsData || document.attribute(table, .summary).nonEmpty != nil { return false }
        return shape.hasTable || shape.maxCells <= 1 || (shape.rows == 1 && shape.blocks > 0)
    }

    /// Measures all tables in one walk.
    private static func shapes(below content: NodeID, in document: Document) -> [NodeID: Shape] {
        var shapes: [NodeID: Shape] = [:]
        // The tables and cells around the current node, innermost last.
        var open: [(table: NodeID, cell: NodeID?)] = []
        var cells = 0
        var current = document.firstChild(content)
        while let node = current {
            while let last = open.last, !document.isInside(node, last.cell ?? last.table) {
                if last.cell != nil { open[open.count - 1].cell = nil } else { open.removeLast() }
            }
            switch document.tag(node) {
            case .table:
                if let outer = open.last { shapes[outer.table, default: Shape()].hasTable = true }
                open.append((node, nil))
            case .tr:
                if let table = open.last?.table {
                    shapes[table, default: Shape()].rows += 1
                    cells = 0
                }
            case .td, .th:
                guard let table = open.last?.table else { break }
                open[open.count - 1].cell = node
                cells += 1
                shapes[table, default: Shape()].maxCells = max(shapes[table]?.maxCells ?? 0, cells)
                let isData = document.tag(node) == .th || document.has(node, .headers) || document.has(node, .scope)
                if isData { shapes[table, default: Shape()].isMarkedAsData = true }
            case .caption, .thead, .tfoot, .col, .colgroup:
                if let table = open.last?.table { shapes[table, default: Shape()].isMarkedAsData = true }
            case let tag where blocks.contains(tag):
                if let last = open.last, last.cell != nil { shapes[last.table, default: Shape()].blocks += 1 }
            default: break
            }
            current = document.next(after: node, within: content)
        }
        return shapes
    }

    /// Turns rows and cells into block elements, in order, so that the text of one cell does not run into the next.
    private static func flatten(_ table: NodeID, in document: inout Document) {
        for part in document.childElements(table) {
            let rows = rowParts.contains(document.tag(part)) ? document.childElements(part) : [part]
            for row in rows {
                if document.tag(row) == .caption || document.tag(row) == .colgroup || document.tag(row) == .col {
                    document.rename(row, to: .div)
                    continue
                }
                for cell in document.childElements(row) where document.tag(cell) == .td || document.tag(cell) == .th {
                    if document.isBlank(cell), !document.contains(contentTags, below: cell) {
                        document.detach(cell)
                        continue
                    }
                    document.rename(cell, to: document.allChildren(cell, satisfy: document.isPhrasing) ? .p : .div)
                    for name in [AttributeName.colspan, .rowspan, .scope, .headers, .abbr] {
                        document.remove(cell, name)
                    }
                }
                if document.tag(row) == .tr { document.unwrap(row) }
            }
            if rowParts.contains(document.tag(part)) { document.unwrap(part) }
        }
        document.rename(table, to: .div)
    }
}
