import Links

/// One pass of the sanitizer over a parsed fragment. Every step is a loop; each node is visited, moved and removed at
/// most once.
struct SanitizerPass {
    var document: Document
    let scope: NodeID
    let base: WebAddress?
    /// The page's own URL, without fragment.
    let page: WebAddress?

    /// The ids that stay, with their prefix.
    var ids: Set<String> = []
    /// Links to targets within the page, resolved when all ids are known.
    var fragmentLinks: [FragmentLink] = []
    /// Total size in bytes of the inline images so far.
    var pictureBytes = 0

    /// Nesting depth of the current element, counting the element itself.
    private(set) var depth = 1

    init(document: Document, scope: NodeID, base: WebAddress?) {
        self.document = document
        self.scope = scope
        self.base = base
        page = base?.withFragment(nil)
    }

    var html: [UInt8] { Serializer.bytes(document, below: scope) }

    mutating func run() {
        var current = document.firstChild(scope)
        while let node = current {
            current = document.isElement(node) ? clean(node) : cleanText(node)
        }
        resolveFragmentLinks()
    }

    // MARK: Steps (each returns the next node to process)

    private mutating func clean(_ node: NodeID) -> NodeID? {
        let tag = document.tag(node)
        if tag == .foreign || tag == .math {
            replaceFormula(node)
            return remove(node)
        }
        if SanitizerRules.removed.contains(tag) {
            replaceEmbed(node)
            replaceBox(node)
            return remove(node)
        }
        let allowedTag = SanitizerRules.renamed[tag] ?? tag
        guard SanitizerRules.allowed.contains(allowedTag),
            depth <= SanitizerRules.depth || TagSet.void.contains(allowedTag)
        else {
            return unwrap(node)
        }
        let element = makeClean(node, allowedTag)
        document.moveChildren(of: node, to: element)
        document.replace(node, with: element)
        guard let child = document.firstChild(element) else { return after(element) }
        depth += 1
        return child
    }

    /// Removes line feeds at the start of `pre`. A parser drops the first one and some serializers do not write it
    /// twice, so the output must not start with one.
    private mutating func cleanText(_ node: NodeID) -> NodeID? {
        guard let parent = document.parent(node), document.tag(parent) == .pre, document.previousSibling(node) == nil
        else {
            return after(node)
        }
        let text = document.text(of: node)
        let rest = text.drop { $0 == 0x0A || $0 == 0x0D }
        if rest.count < text.count, !rest.isEmpty { document.insert(document.makeText(rest), before: node) }
        return rest.count < text.count ? remove(node) : after(node)
    }

    private mutating func remove(_ node: NodeID) -> NodeID? {
        let next = after(node)
        document.detach(node)
        return next
    }

    /// Replaces a node with its children, which are processed next; they now have the node's depth.
    private mutating func unwrap(_ node: NodeID) -> NodeID? {
        guard let child = document.firstChild(node) else { return remove(node) }
        document.unwrap(node)
        return child
    }

    /// Returns the next node outside `node`.
    private mutating func after(_ node: NodeID) -> NodeID? {
        var here = node
        while true {
            if let sibling = document.nextSibling(here) { return sibling }
            guard let parent = document.parent(here), parent != scope else { return nil }
            here = parent
            depth -= 1
        }
    }

    // MARK: Replacements for removed elements

    /// Drops SVG images. Rebuilds MathML formulas from their allowed parts.
    private mutating func replaceFormula(_ node: NodeID) {
        guard !document.isSVG(node), document.localTag(node) == .math else { return }
        if let formula = makeCleanFormula(node) { document.insert(formula, before: node) }
    }

    /// Replaces the check box of a task list with its text.
    private mutating func replaceBox(_ node: NodeID) {
        guard let box = TaskBox.text(of: node, in: document) else { return }
        document.insert(document.makeText(box), before: node)
    }

    /// Replaces an embedded player with a link to it, so that readers know it exists.
    private mutating func replaceEmbed(_ node: NodeID) {
        guard document.tag(node) == .iframe || document.tag(node) == .embed,
            let address = document.attribute(node, .src).flatMap(media)
        else { return }
        let link = document.makeElement(.a)
        document.set(link, .href, to: address)
        document.set(link, .rel, to: SanitizerRules.rel)
        document.append(document.makeText(address), to: link)
        document.insert(link, before: node)
    }
}
