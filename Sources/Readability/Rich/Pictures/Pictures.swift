import HTML

/// Turns every picture of a page into one `img` with the URL of its best size. Sources that a script would load are put
/// into `src`, copies for browsers without scripts replace their placeholders, and pictures that are not part of the
/// article are removed.
enum Pictures {
    static func resolve(_ elements: RichElements, in document: inout Document) {
        for noscript in elements.noscripts { moveOut(noscript, in: &document) }
        for picture in elements.pictures { resolvePicture(picture, in: &document) }
        for image in elements.images { resolveImage(image, in: &document) }
        for figure in elements.figures { addMissingImage(figure, in: &document) }
        showSlides(elements.images, in: &document)
    }

    // MARK: Copies for browsers without scripts

    /// Moves the pictures out of a `noscript`: into the placeholder beside it, or else to its position.
    private static func moveOut(_ noscript: NodeID, in document: inout Document) {
        guard document.isBlank(noscript), document.contains([.img, .iframe, .video], below: noscript) else { return }
        guard let copy = singlePicture(in: noscript, of: document),
            let placeholder = placeholder(of: copy, beside: noscript, in: document)
        else {
            document.unwrap(noscript)
            return
        }
        let own = sources(of: placeholder, in: document)
        let other = sources(of: copy, in: document)
        if own.isEmpty || own.isLazy || own.widest ?? 0 <= other.widest ?? 0, let best = other.best, !(own.best == best)
        {
            // The page shows the copy without scripts, so its URL is not a placeholder.
            if own.isEmpty || !own.isLazy || other.widest != nil { setSource(best, on: placeholder, in: &document) }
        }
        if document.attribute(placeholder, .alt).nonEmpty == nil, let alt = document.attribute(copy, .alt).nonEmpty {
            document.set(placeholder, .alt, to: alt)
        }
        // The style hid the placeholder or made it small.
        document.remove(placeholder, .style)
        document.detach(noscript)
    }

    /// Returns the `img` beside a `noscript` for which the one inside it is the copy.
    private static func placeholder(of copy: NodeID, beside noscript: NodeID, in document: Document) -> NodeID? {
        let key = sources(of: copy, in: document).best.map { PictureKey($0) }
        for neighbour in [document.previousElement(noscript), document.nextElement(noscript)] {
            guard let neighbour, document.tag(neighbour) != .noscript,
                let image = singlePicture(in: neighbour, of: document)
            else { continue }
            let sources = sources(of: image, in: document)
            if sources.isEmpty || sources.best.map({ PictureKey($0) }) == key { return image }
        }
        return nil
    }

    /// Returns the node if it is an `img`, or the only `img` inside it.
    private static func singlePicture(in node: NodeID, of document: Document) -> NodeID? {
        var current: NodeID? = node
        while let here = current {
            if document.tag(here) == .img { return here }
            if document.tag(here) == .picture { return document.childElements(here).last { document.tag($0) == .img } }
            guard document.allChildren(here, satisfy: { !document.isText($0) || document.isBlank($0) }) else {
                return nil
            }
            current = document.onlyChildElement(here)
        }
        return nil
    }

    // MARK: One picture

    private static func sources(of image: NodeID, in document: Document) -> PictureSources {
        var sources = PictureSources()
        if let picture = document.parent(image), document.tag(picture) == .picture {
            for source in document.childElements(picture) where document.tag(source) == .source {
                sources.addSource(source, in: document)
            }
        }
        sources.add(image, in: document)
        return sources
    }

    /// Replaces a `picture` with its `img`, or with a new one.
    private static func resolvePicture(_ picture: NodeID, in document: inout Document) {
        var sources = PictureSources()
        var image: NodeID?
        for node in document.elements([.source, .img], below: picture) {
            if document.tag(node) == .source { sources.addSource(node, in: document) } else { image = image ?? node }
        }
        if let image { sources.add(image, in: document) }
        sources.add(picture, in: document)
        guard let best = sources.best else {
            document.detach(picture)
            return
        }
        let single = image ?? document.makeElement(.img)
        setSource(best, on: single, in: &document)
        document.replace(picture, with: single)
        if image == nil { resolveImage(single, in: &document) }
    }

    private static func setSource(_ address: String, on image: NodeID, in document: inout Document) {
        for name in sourceAttributes(from: image, in: document) { document.remove(image, named: name) }
        if document.attribute(image, .src) != address { document.set(image, .src, to: address) }
    }

    /// The names of the attributes that hold sources.
    private static func sourceAttributes(from image: NodeID, in document: Document) -> [String] {
        (0..<document.attributeCount(image)).map { document.attributeName(image, at: $0) }.filter {
            $0 == "srcset" || $0 == "sizes" || $0 == "loading" || $0.hasPrefix("data-") || $0.hasSuffix("srcset")
                || $0.hasSuffix("-src")
        }
    }

    private static func resolveImage(_ image: NodeID, in document: inout Document) {
        guard document.parent(image) != nil else { return }
        var sources = PictureSources()
        sources.add(image, in: document)
        guard let best = sources.best else {
            document.detach(image)
            return
        }
        // The style hid the image until its script had run.
        if sources.isLazy { document.remove(image, .style) }
        setSource(best, on: image, in: &document)
        switch PictureFilter.verdict(on: image, address: best, in: document) {
        case .junk: document.detach(image)
        case .text(let words): document.replace(image, with: document.makeText(words))
        case .symbol: break
        case .picture: if !linksElsewhere(image, in: document) { document.set(image, .dataLecternRich, to: "") }
        }
    }

    /// Whether a picture links to another page. The article's own pictures link to their files, if they link at all.
    static func linksElsewhere(_ image: NodeID, in document: Document) -> Bool {
        for ancestor in document.ancestors(image, limit: 5) where document.tag(ancestor) == .a {
            guard let address = document.attribute(ancestor, .href).nonEmpty, address.utf8.first != UInt8(ascii: "#")
            else { return false }
            return !PictureSources.hasPictureExtension(address) && !address.utf8.starts(with: "javascript:".utf8)
        }
        return false
    }

    // MARK: Figures and slides

    /// Adds an `img` to a figure whose picture is an attribute, or the background of an element inside it.
    private static func addMissingImage(_ figure: NodeID, in document: inout Document) {
        guard document.parent(figure) != nil,
            !document.contains([.img, .video, .iframe, .audio, .pre, .table, .svg], below: figure)
        else {
            return
        }
        var sources = PictureSources()
        sources.add(figure, in: document)
        var holder = figure
        // Follows the nested elements before the caption. A box with text, such as a note for screen readers, has no
        // picture of its own, but one inside it may.
        var box = document.firstChildElement(figure)
        for _ in 0..<4 {
            guard let here = box, document.tag(here) != .figcaption, sources.isEmpty else { break }
            if document.isBlank(here) {
                holder = here
                sources.add(here, in: document)
                if sources.isEmpty, let background = background(of: here, in: document) { sources.addPlain(background) }
            }
            box = document.firstChildElement(here)
        }
        guard let best = sources.best else { return }
        let image = document.makeElement(.img)
        document.set(image, .src, to: best)
        let label =
            document.attribute(figure, .ariaLabel).nonEmpty ?? document.attribute(holder, named: "data-alt").nonEmpty
        if let label { document.set(image, .alt, to: label) }
        document.set(image, .dataLecternRich, to: "")
        if let first = document.firstChild(figure) {
            document.insert(image, before: first)
        } else {
            document.append(image, to: figure)
        }
    }

    /// Returns the URL in `background-image: url(…)`.
    private static func background(of box: NodeID, in document: Document) -> String? {
        guard let style = document.attribute(box, .style), style.utf8.count < 4_096 else { return nil }
        let bytes = Array(style.utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: "url(".utf8) }) else { return nil }
        let address = bytes[(start + 4)...].prefix { $0 != UInt8(ascii: ")") }.filter { $0 != 0x22 && $0 != 0x27 }
        let trimmed = WhiteSpace.trim(String(decoding: address, as: UTF8.self))
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Makes the hidden slides of a slide show visible, so that they all appear in order.
    private static func showSlides(_ images: [NodeID], in document: inout Document) {
        var seen: Set<NodeID> = []
        for image in images where document.has(image, .dataLecternRich) {
            for ancestor in document.ancestors(image, limit: 6) {
                guard seen.insert(ancestor).inserted else { break }
                if isHidden(ancestor, in: document), hasSiblingSlide(ancestor, in: document) {
                    for name in [AttributeName.hidden, .ariaHidden, .style] { document.remove(ancestor, name) }
                }
            }
        }
    }

    private static func isHidden(_ node: NodeID, in document: Document) -> Bool {
        if document.has(node, .hidden) || document.attribute(node, .ariaHidden, is: "true") { return true }
        guard let style = document.attribute(node, .style).map(InlineStyle.init) else { return false }
        return style.takesNoRoom || style.makesInvisible
    }

    /// Whether a neighbour has the same tag and class, and a picture.
    private static func hasSiblingSlide(_ slide: NodeID, in document: Document) -> Bool {
        let own = firstClass(of: slide, in: document)
        return [document.previousElement(slide), document.nextElement(slide)].contains { neighbour in
            guard let neighbour, document.tag(neighbour) == document.tag(slide),
                firstClass(of: neighbour, in: document) == own
            else {
                return false
            }
            return document.contains([.img], below: neighbour)
        }
    }

    private static func firstClass(of node: NodeID, in document: Document) -> String? {
        document.attribute(node, .class)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
