import HTML

/// Changes made to a page before the search.
enum Preparation {
    // MARK: Images for browsers without scripts

    /// Replaces the placeholder before a `noscript` with the image inside it, so that images loaded by scripts appear.
    static func unwrapNoscriptImages(_ document: inout Document) {
        for image in document.elements([.img], below: document.root) where !mayBecomeImage(image, in: document) {
            document.detach(image)
        }
        for noscript in document.elements([.noscript], below: document.root) {
            guard singleImage(in: noscript, of: document) != nil, let before = document.previousElement(noscript),
                let placeholder = singleImage(in: before, of: document),
                let picture = document.firstChildElement(noscript)
            else { continue }
            // Insert a copy: the next noscript may replace this one, which also counts as a placeholder while it is in
            // the page.
            let (copy, image) = copyChain(from: picture, in: &document)
            keepImageAttributes(of: placeholder, on: image, in: &document)
            document.replace(before, with: copy)
        }
    }

    /// The minimum number of words of a text in a `noscript`. Messages that ask for scripts are shorter.
    private static let minNoscriptWords = 60

    /// Shows the articles that a page has for browsers without scripts only. Mode best does so.
    static func unwrapNoscriptText(_ document: inout Document) {
        var outer: NodeID?
        for noscript in document.elements([.noscript], below: document.root) {
            // Elements inside another are not read again, so that nested ones take a single walk.
            if let outer, document.isInside(noscript, outer) { continue }
            outer = noscript
            guard document.trimmedLength(noscript, countingTo: 200) >= 200 else { continue }
            let list = BlockList(noscript, in: document)
            let prose = list.blocks.reduce(0) { $0 + (BlockClassifier.isProse($1) ? $1.words : 0) }
            if prose >= minNoscriptWords { document.rename(noscript, to: .div) }
        }
    }

    /// Copies an element and its chain of only children. Returns the copy and its innermost element.
    private static func copyChain(from top: NodeID, in document: inout Document) -> (copy: NodeID, innermost: NodeID) {
        let copy = copyElement(top, in: &document)
        var innermost = copy
        var current = document.onlyChildElement(top)
        while let node = current {
            let inner = copyElement(node, in: &document)
            document.append(inner, to: innermost)
            innermost = inner
            current = document.onlyChildElement(node)
        }
        return (copy, innermost)
    }

    private static func copyElement(_ node: NodeID, in document: inout Document) -> NodeID {
        let copy = document.makeElement(named: document.name(of: node))
        for attribute in document.allAttributes(node) {
            document.set(copy, named: attribute.name, to: attribute.value)
        }
        return copy
    }

    /// Whether the image has a source, or an attribute that names an image file.
    private static func mayBecomeImage(_ image: NodeID, in document: Document) -> Bool {
        document.allAttributes(image).contains {
            ["src", "srcset", "data-src", "data-srcset"].contains($0.name) || ImageAddress.isMentioned(in: $0.value)
        }
    }

    /// Returns the image if the node is one or contains nothing but one.
    private static func singleImage(in node: NodeID, of document: Document) -> NodeID? {
        guard document.isBlank(node) else { return nil }
        var current: NodeID? = node
        while let here = current, document.tag(here) != .img { current = document.onlyChildElement(here) }
        return current
    }

    private static func keepImageAttributes(of old: NodeID, on new: NodeID, in document: inout Document) {
        for attribute in document.allAttributes(old) where !attribute.value.isEmpty {
            let names = attribute.name == "src" || attribute.name == "srcset"
            guard names || ImageAddress.isMentioned(in: attribute.value) else { continue }
            let present = document.attribute(new, named: attribute.name)
            guard present != attribute.value else { continue }
            let name = present == nil ? attribute.name : "data-old-" + attribute.name
            document.set(new, named: name, to: attribute.value)
        }
    }

    // MARK: Scripts, styles, obsolete markup

    static func removeScripts(_ document: inout Document) {
        for node in document.elements([.script, .noscript], below: document.root) { document.detach(node) }
    }

    static func simplify(_ document: inout Document) {
        for style in document.elements([.style], below: document.root) { document.detach(style) }
        if let body = document.body { makeParagraphsOfBreaks(below: body, in: &document) }
        for font in document.elements([.font], below: document.root) { document.rename(font, to: .span) }
    }

    /// Two or more line breaks in a row separate paragraphs: they become a `p` that contains the running text after
    /// them.
    private static func makeParagraphsOfBreaks(below body: NodeID, in document: inout Document) {
        for lineBreak in document.elements([.br], below: body) {
            guard document.parent(lineBreak) != nil, removeBreaks(after: lineBreak, in: &document) else { continue }
            let paragraph = document.makeElement(.p)
            document.replace(lineBreak, with: paragraph)
            while let next = document.nextSibling(paragraph), !beginsNewParagraph(next, in: document),
                document.isPhrasing(next)
            {
                document.append(next, to: paragraph)
            }
            document.dropSpaceAtEnd(of: paragraph)
            if let parent = document.parent(paragraph), document.tag(parent) == .p { document.rename(parent, to: .div) }
        }
    }

    /// Removes the breaks after a break with only white space between them. Returns whether there were any.
    private static func removeBreaks(after lineBreak: NodeID, in document: inout Document) -> Bool {
        var removedAny = false
        var next = document.firstNonBlank(from: document.nextSibling(lineBreak))
        while let node = next, document.tag(node) == .br {
            let following = document.nextSibling(node)
            document.detach(node)
            removedAny = true
            next = document.firstNonBlank(from: following)
        }
        return removedAny
    }

    private static func beginsNewParagraph(_ node: NodeID, in document: Document) -> Bool {
        guard document.tag(node) == .br, let next = document.firstNonBlank(from: document.nextSibling(node)) else {
            return false
        }
        return document.tag(next) == .br
    }
}
