import HTML

/// Pictures, and links to what a book cannot contain.
extension ArticleConverter {
    mutating func addPicture(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        let source = document.attribute(node, .src) ?? ""
        let words = XMLText.line(document.attribute(node, .alt) ?? "")
        guard let name = pictures[source] else {
            if !source.isEmpty { miss(source) }
            addMissing(source, words, to: &output, place)
            return
        }
        use(name, hasText: !words.isEmpty)
        var picture = element("img", of: node)
        picture["src"] = name
        picture["alt"] = words
        picture["width"] = pixels(node, .width)
        picture["height"] = pixels(node, .height)
        output.append(.element(picture))
    }

    /// A missing picture: its words, which lead to its address.
    private mutating func addMissing(
        _ source: String, _ words: String, to output: inout [Markup], _ place: ContentModel.Place
    ) {
        let text: Markup = .text(words.isEmpty ? "[picture]" : "[\(words)]")
        if !place.isInLink, let address = BookLink.cleaned(source), !address.hasPrefix("#") {
            output.append(.element("a", ["href": address], [text]))
        } else if !words.isEmpty {
            output.append(.element("span", [:], [text]))
        }
    }

    private func pixels(_ node: NodeID, _ name: AttributeName) -> String? {
        guard let number = document.attribute(node, name).flatMap({ Int($0) }), (1...99_999).contains(number) else {
            return nil
        }
        return String(number)
    }

    /// A recording or another document: its picture where it has one, and a link to it.
    mutating func addEmbedded(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        let source =
            document.attribute(node, .src) ?? document.attribute(node, named: "data")
            ?? document.first([.source], below: node).flatMap { document.attribute($0, .src) }
        let poster = document.attribute(node, .poster).flatMap { pictures[$0] }
        var words: [Markup] = []
        if let poster {
            use(poster, hasText: true)
            let title = XMLText.line(document.attribute(node, .title) ?? "")
            words = [.element("img", ["src": poster, "alt": title.isEmpty ? "Video" : title])]
        }
        guard let address = BookLink.cleaned(source), !address.hasPrefix("#"), !place.isInLink else {
            output += words
            // What the element shows where it cannot be played.
            return output += children(of: node, place)
        }
        let link: Markup = .element("a", ["href": address], words.isEmpty ? [.text(address)] : words)
        output.append(place.allowsBlocks ? .element("p", [:], [link]) : link)
    }

    /// A figure with at most one caption, at its beginning or its end.
    mutating func addFigure(_ node: NodeID, to output: inout [Markup], _ place: ContentModel.Place) {
        var figure = element("figure", of: node)
        let captions = document.children(node).filter { document.tag($0) == .figcaption }
        var caption: Markup?
        for child in document.children(node) {
            guard child == captions.last else {
                add(child, to: &figure.children, place)
                continue
            }
            var element = element("figcaption", of: child)
            element.children = children(of: child, place)
            caption = .element(element)
        }
        let first = document.children(node).first { document.isElement($0) || !document.isBlank($0) }
        let isFirst = captions.count == 1 && first == captions.first
        if let caption { figure.children.insert(caption, at: isFirst ? 0 : figure.children.count) }
        if !figure.isBlank { output.append(.element(figure)) }
    }
}
