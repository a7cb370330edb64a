import HTML

/// Tables: a caption, columns, heads, bodies and feet, in this order, of rows that have cells.
extension ArticleConverter {
    mutating func addTable(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        var table = element("table", of: node)
        var (caption, columns, head, bodies, foot) = (Markup?.none, [Markup](), Markup?.none, [Markup](), Markup?.none)
        var strays: [Markup] = []
        for child in document.children(node) {
            switch document.tag(child) {
            case .caption where caption == nil:
                var element = element("caption", of: child)
                element.children = children(of: child, place.line)
                caption = .element(element)
            case .colgroup, .col: addColumns(child, to: &columns)
            case .thead, .tbody, .tfoot, .tr:
                guard let rows = section(child, place) else { continue }
                switch document.tag(child) {
                case .thead where head == nil && bodies.isEmpty: head = .element("thead", [:], rows)
                case .tfoot where foot == nil: foot = .element("tfoot", [:], rows)
                default: bodies.append(.element("tbody", [:], rows))
                }
            default: add(child, to: &strays, place)
            }
        }
        output += strays.filter { !$0.isBlank }
        guard head != nil || foot != nil || !bodies.isEmpty else {
            if case .element(var element)? = caption {
                element.name = "p"
                output.append(.element(element))
            }
            return
        }
        let parts: [[Markup]] = [
            caption.map { [$0] } ?? [], columns, head.map { [$0] } ?? [], bodies, foot.map { [$0] } ?? [],
        ]
        table.children = parts.flatMap { $0 }
        output.append(.element(table))
    }

    private mutating func addColumns(_ node: NodeID, to columns: inout [Markup]) {
        var group = MarkupElement("colgroup")
        let written = document.tag(node) == .col ? [node] : document.children(node).filter { document.tag($0) == .col }
        for column in written {
            var element = MarkupElement("col")
            element["span"] = span(column, .span)
            group.children.append(.element(element))
        }
        if written.isEmpty { group["span"] = span(node, .span) }
        columns.append(.element(group))
    }

    /// The rows of a section, or the row itself; nil where it has no cells.
    private mutating func section(_ node: NodeID, _ place: ContentModel.Place) -> [Markup]? {
        let rows = document.tag(node) == .tr ? [node] : document.children(node).filter { document.tag($0) == .tr }
        var output: [Markup] = []
        for row in rows {
            var element = element("tr", of: row)
            for cell in document.children(row) where [.td, .th].contains(document.tag(cell)) {
                element.children.append(.element(self.cell(cell, place)))
            }
            // Without cells, a row still counts for cells that span rows.
            if element.children.isEmpty { element.children = [.element("td")] }
            output.append(.element(element))
        }
        return output.isEmpty ? nil : output
    }

    private mutating func cell(_ node: NodeID, _ place: ContentModel.Place) -> MarkupElement {
        let isHead = document.tag(node) == .th
        var cell = element(isHead ? "th" : "td", of: node)
        cell["colspan"] = span(node, .colspan)
        cell["rowspan"] = span(node, .rowspan)
        if isHead, let scope = document.attribute(node, .scope)?.lowercased(),
            ["row", "col", "rowgroup", "colgroup"].contains(scope)
        {
            cell["scope"] = scope
        }
        cell.children = children(of: node, place.within { $0.allowsHeadings = $0.allowsHeadings && !isHead })
        return cell
    }

    /// A number of columns or rows from 2 on; 1 is what a missing attribute means.
    private func span(_ node: NodeID, _ name: AttributeName) -> String? {
        guard let span = document.attribute(node, name).flatMap({ Int($0) }), (2...1_000).contains(span) else {
            return nil
        }
        return String(span)
    }
}
