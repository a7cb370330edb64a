import HTML

/// The picture above an article's text. It often stands beside the element that holds the text, and not in it.
struct LeadPicture {
    /// Matches every URL of the picture, whatever its size.
    private let key: PictureKey
    private let base: WebAddress?
    private let attributes: [Attribute]
    private let caption: NodeID?

    /// In bytes of text between the headline and the picture, on either side. This covers a standfirst and lines with
    /// authors and dates.
    private static let maxDistance = 700
    /// In bytes. A text this long belongs to the article already.
    private static let paragraphBytes = 200
    private static let maxCaptionBytes = 400
    /// The number of nodes to examine after the headline.
    private static let maxNodes = 20_000

    /// Finds the article's first picture directly above or below its headline. A picture above the headline also counts
    /// if it is farther away and the page's previews show it.
    init?(_ elements: RichElements, in document: Document, base: WebAddress?) {
        guard let headline = Self.headline(elements, in: document), let body = document.body else { return nil }
        let previewKey = Self.previewPicture(elements, in: document, base: base)
        var distance = 0
        var found: NodeID?
        var current = document.next(after: headline, within: body)
        var nodes = 0
        while let node = current, nodes < Self.maxNodes, found == nil, distance < Self.maxDistance {
            nodes += 1
            if document.isText(node) {
                let length = document.trimmedLength(node, countingTo: Self.paragraphBytes)
                if length >= Self.paragraphBytes { break }
                distance += length
            } else if Self.isPicture(node, in: document), !Self.isSmall(node, in: document) {
                found = node
            }
            current = document.next(after: node, within: body)
        }
        if found == nil { found = Self.above(headline, elements, previewKey: previewKey, in: document, base: base) }
        guard let image = found, let address = document.attribute(image, .src).nonEmpty else { return nil }
        self.base = base
        key = PictureKey(address, relativeTo: base)
        attributes = document.allAttributes(image).filter {
            ["src", "alt", "width", "height", "title"].contains($0.name)
        }
        let figure = document.ancestors(image, limit: 6).first { document.tag($0) == .figure }
        caption = figure.flatMap { document.first([.figcaption], below: $0) }
    }

    private static func isPicture(_ node: NodeID, in document: Document) -> Bool {
        document.tag(node) == .img && document.has(node, RichContent.mark)
    }

    /// In pixels. A lead picture with a known size is at least this large on one side.
    private static let minSize = 200

    private static func isSmall(_ image: NodeID, in document: Document) -> Bool {
        let width = PictureFilter.size(.width, "width", of: image, in: document) ?? .max
        let height = PictureFilter.size(.height, "height", of: image, in: document) ?? .max
        return width < minSize && height < minSize
    }

    /// The first `h1`, or else the first heading inside an `article` or `main` element.
    private static func headline(_ elements: RichElements, in document: Document) -> NodeID? {
        let headings = elements.headings.lazy.filter { !document.isBlank($0) }
        return headings.first { document.tag($0) == .h1 } ?? headings.first { container(of: $0, in: document) != nil }
    }

    /// The `article` or `main` element that contains a node.
    private static func container(of node: NodeID, in document: Document) -> NodeID? {
        document.ancestors(node).first { document.tag($0) == .article || document.tag($0) == .main }
    }

    /// The picture that the page's metadata names for previews.
    private static func previewPicture(
        _ elements: RichElements, in document: Document, base: WebAddress?
    ) -> PictureKey? {
        elements.metas.first {
            document.attribute($0, .property, is: "og:image") || document.attribute($0, .name, is: "twitter:image")
        }.flatMap { document.attribute($0, .content).nonEmpty }.map { PictureKey($0, relativeTo: base) }
    }

    /// Finds a picture before the headline: the preview picture, or one in the same article.
    private static func above(
        _ headline: NodeID, _ elements: RichElements, previewKey: PictureKey?, in document: Document, base: WebAddress?
    ) -> NodeID? {
        let container = container(of: headline, in: document)
        return elements.images.last { image in
            guard image.row < headline.row, isPicture(image, in: document), document.parent(image) != nil,
                !isSmall(image, in: document)
            else {
                return false
            }
            if let previewKey, let address = document.attribute(image, .src),
                PictureKey(address, relativeTo: base) == previewKey
            {
                return true
            }
            return container.map { document.isInside(image, $0) } ?? false
        }
    }

    // MARK: Putting it back

    /// Inserts the picture at the top of an article that does not contain it.
    func restore(above content: NodeID, in document: inout Document) {
        for image in document.elements([.img], below: content) {
            if let address = document.attribute(image, .src), PictureKey(address, relativeTo: base) == key { return }
        }
        let figure = document.makeElement(.figure)
        let image = document.makeElement(.img)
        for attribute in attributes { document.set(image, named: attribute.name, to: attribute.value) }
        document.append(image, to: figure)
        if let caption, !document.isInside(caption, content),
            document.trimmedLength(caption, countingTo: Self.maxCaptionBytes) < Self.maxCaptionBytes
        {
            let text = document.makeElement(.figcaption)
            document.moveChildren(of: caption, to: text)
            document.append(text, to: figure)
        }
        let page = document.firstChildElement(content) ?? content
        if let first = document.firstChild(page) {
            document.insert(figure, before: first)
        } else {
            document.append(figure, to: page)
        }
    }
}
