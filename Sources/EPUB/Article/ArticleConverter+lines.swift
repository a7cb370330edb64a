import HTML

/// Elements within a line of text.
extension ArticleConverter {
    mutating func addInline(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        let tag = document.tag(node)
        guard let name = ContentModel.inline[tag] else { return }
        let isTransparent = tag == .ins || tag == .del
        // A paragraph within `b` loses the `b`, as no rule says which of both the author meant.
        guard !place.allowsBlocks || isTransparent || !holdsBlocks[node.row] else {
            return unwrap(node, to: &output, place)
        }
        var element = element(name == "bdo" && !document.has(node, .dir) ? "span" : name, of: node)
        element.children = children(of: node, isTransparent ? place : place.line)
        output += element.name == "span" && element.attributes.isEmpty ? element.children : [.element(element)]
    }

    mutating func addLink(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        var element = element(place.isInLink ? "span" : "a", of: node)
        if !place.isInLink, let address = BookLink.cleaned(document.attribute(node, .href)) {
            let isFragment = address.hasPrefix("#")
            element["href"] = isFragment ? ids.link(to: String(address.dropFirst())) : address
            if isFragment, footnotes.references.contains(node) {
                element["epub:type"] = "noteref"
                element["role"] = "doc-noteref"
            }
        }
        element.children = children(of: node, place.within { $0.isInLink = $0.isInLink || element.name == "a" })
        if let address = element["href"], element.children.allSatisfy(\.isInvisible),
            document.contains([.img, .video, .audio], below: node)
        {
            // The picture is missing and has no words.
            element.children.append(.text("[\(BookLink.host(of: address) ?? "picture")]"))
        }
        output += element["href"] == nil && element["id"] == nil ? element.children : [.element(element)]
    }

    /// Ruby: each base text, then its annotation, which readers without ruby show in parentheses.
    mutating func addRuby(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        var parts: [Markup] = []
        var (base, hasAnnotation) = ([Markup](), false)
        for child in document.children(node) {
            switch document.tag(child) {
            case .rp: continue
            case .rt, .rtc:
                hasAnnotation = true
                var annotation: [Markup] = []
                unwrap(child, to: &annotation, place.line)
                parts += base.isEmpty ? [.text(" ")] : base
                parts += [
                    .element("rp", [:], [.text("(")]), .element("rt", [:], annotation),
                    .element("rp", [:], [.text(")")]),
                ]
                base = []
            default: add(child, to: &base, place.line)
            }
        }
        guard hasAnnotation else { return output += base }
        output.append(.element("ruby", [:], parts))
        output += base
    }
}
