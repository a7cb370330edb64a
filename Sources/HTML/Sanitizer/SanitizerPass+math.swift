extension SanitizerPass {
    /// Creates a formula from the allowed parts of `node`; nil if nothing remains.
    ///
    /// All elements are new, so they contain nothing that was not added explicitly. Each text is in an element that
    /// contains nothing else, so a parser never switches to parsing HTML.
    mutating func makeCleanFormula(_ node: NodeID) -> NodeID? {
        let formula = document.makeMathElement("math")
        copyAttributes(of: node, to: formula, named: "math")
        var hasText = false
        // The elements whose children are being copied, with their copies.
        var open: [(source: NodeID, copy: NodeID)] = [(node, formula)]
        var current = document.firstChild(node)
        while let here = current {
            if let inner = copy(here, to: open[open.count - 1].copy, level: depth + open.count, &hasText) {
                open.append((here, inner))
                current = document.firstChild(here)
                continue
            }
            current = nil
            var ending = here
            while ending != node {
                if let sibling = document.nextSibling(ending) {
                    current = sibling
                    break
                }
                guard open.count > 1, let closed = open.popLast() else { break }
                ending = closed.source
            }
        }
        if hasText { return formula }
        guard let tex = document.attribute(formula, named: "alttext") else { return nil }
        return document.makeFormula(tex, isDisplay: document.attribute(formula, named: "display") != nil)
    }

    /// Copies one element. Returns the copy if its children must be copied into it.
    private mutating func copy(_ node: NodeID, to parent: NodeID, level: Int, _ hasText: inout Bool) -> NodeID? {
        guard document.isForeign(node), !document.isSVG(node) else { return nil }
        let written = document.name(of: node)
        guard !SanitizerMath.removed.contains(written) else { return nil }
        let name = SanitizerMath.allowedName(for: written)
        let isContainer = SanitizerMath.containers.contains(name)
        guard level < SanitizerRules.depth else { return nil }
        let element = document.makeMathElement(name)
        copyAttributes(of: node, to: element, named: name)
        document.append(element, to: parent)
        if SanitizerMath.tokens.contains(name) {
            let text = text(of: node)
            if !text.isEmpty {
                document.append(document.makeText(text), to: element)
                hasText = true
            }
        }
        return isContainer && document.firstChild(node) != nil ? element : nil
    }

    /// Returns the visible text, on one line.
    private func text(of token: NodeID) -> [UInt8] {
        var text: [UInt8] = []
        var current = document.firstChild(token)
        while let node = current {
            if document.isText(node) { document.withText(node) { text.append(contentsOf: $0) } }
            let isHidden = SanitizerRules.removed.contains(document.localTag(node)) || document.isSVG(node)
            current =
                isHidden ? document.next(skipping: node, within: token) : document.next(after: node, within: token)
        }
        return WhiteSpace.collapse(text)
    }

    private mutating func copyAttributes(of node: NodeID, to element: NodeID, named name: String) {
        var attributes: [Attribute] = []
        for position in 0..<document.attributeCount(node) {
            let written = document.attribute(node, at: position)
            guard !attributes.contains(where: { $0.name == written.name }) else { continue }
            let value =
                written.name == "id" ? SanitizerRules.id(written.value) : SanitizerMath.value(of: written, on: name)
            if let value { attributes.append(Attribute(name: written.name, value: value)) }
        }
        for attribute in attributes {
            if attribute.name == "id" { ids.insert(attribute.value) }
            document.set(element, named: attribute.name, to: attribute.value)
        }
    }
}
