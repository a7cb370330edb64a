import HTML

/// MathML: the elements that the sanitizer allows, each with the children that it must have.
/// Source: https://www.w3.org/TR/MathML3/chapter3.html#presm.reqarg
extension ArticleConverter {
    private static let tokens: Set<String> = ["mi", "mn", "mo", "mtext", "ms"]
    private static let rows: Set<String> = ["math", "mrow", "msqrt", "mstyle", "mphantom", "mtd"]
    private static let counts: [String: Int] = [
        "mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3,
    ]
    private static let attributes: Set<String> = [
        "display", "alttext", "dir", "mathvariant", "stretchy", "symmetric", "fence", "separator", "largeop",
        "movablelimits", "displaystyle", "accent", "accentunder", "form", "linethickness", "columnalign",
        "columnspan", "rowspan", "width",
    ]

    mutating func addFormula(_ node: NodeID, to output: inout [Markup]) {
        guard document.localTag(node) == .math, !document.isSVG(node), var formula = formula(node) else { return }
        foundFormula()
        formula.attributes.insert(
            MarkupAttribute(name: "xmlns", value: "http://www.w3.org/1998/Math/MathML"), at: 0)
        output.append(.element(formula))
    }

    private mutating func formula(_ node: NodeID) -> MarkupElement? {
        let name = document.name(of: node)
        var element = MarkupElement(name)
        element["id"] = ids.id(of: document.attribute(node, .id))
        for attribute in document.allAttributes(node) where Self.attributes.contains(attribute.name) {
            element[attribute.name] = XMLText.line(attribute.value)
        }
        if Self.tokens.contains(name) {
            element.children = [.text(document.textContent(node))]
            return element
        }
        if name == "mspace" { return element }
        let children = document.childElements(node).filter { document.isForeign($0) && !document.isSVG($0) }
        if name == "mmultiscripts" { return multiscripts(element, children) }
        element.children = children.compactMap { formula($0).map(Markup.element) }
        // Rows and cells are allowed only in tables.
        if name != "mtable", name != "mtr" { element.children = element.children.map(withoutTableParts) }
        switch name {
        case "mtable": element.children = element.children.map { wrap($0, in: "mtr") }
        case "mtr": element.children = element.children.map { wrap($0, in: "mtd") }
        case _ where Self.counts[name] != nil:
            let count = Self.counts[name] ?? 0
            let isShort = element.children.count < count
            if isShort {
                let missing = count - element.children.count
                element.children += Array(repeating: .element("mrow"), count: missing)
            } else if element.children.count > count {
                element = MarkupElement("mrow", element.children)
            }
        case _ where Self.rows.contains(name): break
        default: element = MarkupElement("mrow", element.children)
        }
        return element
    }

    /// A base, then pairs of scripts; those after `mprescripts` stand before the base.
    private mutating func multiscripts(_ element: MarkupElement, _ children: [NodeID]) -> MarkupElement {
        var (element, scripts, separators) = (element, 0, 0)
        var isValid = true
        for child in children {
            let name = document.name(of: child)
            if name == "mprescripts" {
                isValid = isValid && separators == 0 && scripts % 2 == 1
                separators += 1
                element.children.append(.element(name))
            } else {
                scripts += 1
                element.children.append(
                    name == "none" ? .element(name) : formula(child).map(Markup.element) ?? .element("mrow"))
            }
        }
        guard !isValid || scripts % 2 == 0 || element.children.first == .element("none") else { return element }
        let parts = element.children.filter { $0 != .element("none") && $0 != .element("mprescripts") }
        return MarkupElement("mrow", parts)
    }

    private func wrap(_ child: Markup, in name: String) -> Markup {
        if child.element(named: name) != nil { return child }
        return .element(name, [:], name == "mtr" ? [wrap(child, in: "mtd")] : [withoutTableParts(child)])
    }

    private func withoutTableParts(_ node: Markup) -> Markup {
        guard case .element(let element) = node, element.name == "mtr" || element.name == "mtd" else { return node }
        return .element(MarkupElement("mrow", element.children.map(withoutTableParts)))
    }
}
