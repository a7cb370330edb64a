import HTML

/// Lists: whatever an article has put into them, a list contains items.
extension ArticleConverter {
    mutating func addList(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        let isOrdered = document.tag(node) == .ol
        var list = element(isOrdered ? "ol" : "ul", of: node)
        if isOrdered {
            list["start"] = document.attribute(node, .start).flatMap(Self.number)
            if document.has(node, .reversed) { list["reversed"] = "reversed" }
            if let type = document.attribute(node, .type), ["1", "a", "A", "i", "I"].contains(type) {
                list["type"] = type
            }
        }
        // The last item, which is still open for what follows it: in the list it would be copied for each addition.
        var last: MarkupElement?
        for child in document.children(node) {
            if document.tag(child) == .li {
                if let last { list.children.append(.element(last)) }
                var item = element("li", of: child)
                if isOrdered { item["value"] = document.attribute(child, .value).flatMap(Self.number) }
                item.children = children(of: child, place)
                last = item
                continue
            }
            var strays: [Markup] = []
            add(child, to: &strays, place)
            guard strays.contains(where: { !$0.isBlank }) else { continue }
            // A list directly in a list belongs to the item before it.
            if last == nil { last = MarkupElement("li", []) }
            last?.children += strays
        }
        guard let last else { return }
        list.children.append(.element(last))
        output.append(.element(list))
    }

    /// A list of terms and descriptions, or blocks where its parts are not in that order.
    mutating func addDescriptions(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        var parts: [MarkupElement] = []
        for part in descriptionParts(of: node) {
            switch document.tag(part) {
            case .dt:
                var term = element("dt", of: part)
                term.children = children(of: part, place.within { $0.allowsHeadings = false })
                parts.append(term)
            case .dd:
                var description = element("dd", of: part)
                description.children = children(of: part, place)
                parts.append(description)
            default:
                var strays: [Markup] = []
                add(part, to: &strays, place)
                if strays.contains(where: { !$0.isBlank }) { parts.append(MarkupElement("dd", strays)) }
            }
        }
        guard !parts.isEmpty else { return }
        let isOrdered = parts.first?.name == "dt" && parts.last?.name == "dd"
        var list = element(isOrdered ? "dl" : "div", of: node)
        list.children = parts.map { part in
            var part = part
            if !isOrdered { part.name = "div" }
            return .element(part)
        }
        output.append(.element(list))
    }

    /// The children of a list of descriptions; groups in `div` count as their content.
    private func descriptionParts(of node: NodeID) -> [NodeID] {
        document.children(node).flatMap { child in
            let isGroup =
                document.tag(child) == .div
                && document.childElements(child).contains { [.dt, .dd].contains(document.tag($0)) }
            return isGroup ? document.children(child) : [child]
        }
    }

    /// A number in the range of 32 bits.
    private static func number(_ text: String) -> String? { Int32(text).map(String.init) }
}
