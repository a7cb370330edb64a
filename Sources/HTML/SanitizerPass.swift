import Links

/// One walk of the sanitizer over a parsed fragment. Every step is a loop; each node is met, moved and taken out once.
struct SanitizerPass {
    var document: Document
    let scope: NodeID
    let base: WebAddress?
    /// The address of the page itself, without a place in it.
    let page: WebAddress?

    /// The ids that stay, with their prefix.
    var ids: Set<String> = []
    /// Links to places within the page, settled when all ids are known.
    var jumps: [Jump] = []
    /// Bytes of pictures written into the page so far.
    var pictureBytes = 0

    /// How many elements the one at hand lies in, itself included.
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
        settleJumps()
    }

    // MARK: Steps, each answers with the node to go on with

    private mutating func clean(_ node: NodeID) -> NodeID? {
        let tag = document.tag(node)
        if tag == .foreign || tag == .math {
            keepFormula(node)
            return remove(node)
        }
        if SanitizerRules.removed.contains(tag) {
            replaceEmbed(node)
            return remove(node)
        }
        let kept = SanitizerRules.renamed[tag] ?? tag
        guard SanitizerRules.allowed.contains(kept), depth <= SanitizerRules.depth || TagSet.void.contains(kept) else {
            return unwrap(node)
        }
        let element = makeClean(node, kept)
        document.moveChildren(of: node, to: element)
        document.replace(node, with: element)
        guard let child = document.firstChild(element) else { return after(element) }
        depth += 1
        return child
    }

    /// A parser drops the line feed `pre` begins with, and some serialisers do not write it twice: there is none.
    private mutating func cleanText(_ node: NodeID) -> NodeID? {
        guard let parent = document.parent(node), document.tag(parent) == .pre, document.previousSibling(node) == nil else {
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

    /// The children come next: they are as deep now as the node was.
    private mutating func unwrap(_ node: NodeID) -> NodeID? {
        guard let child = document.firstChild(node) else { return remove(node) }
        document.unwrap(node)
        return child
    }

    /// The next node that does not lie in `node`.
    private mutating func after(_ node: NodeID) -> NodeID? {
        var here = node
        while true {
            if let sibling = document.nextSibling(here) { return sibling }
            guard let parent = document.parent(here), parent != scope else { return nil }
            here = parent
            depth -= 1
        }
    }

    // MARK: What stays of elements that go

    /// Pictures of SVG go. Formulas of MathML are made anew of what may stay of them.
    private mutating func keepFormula(_ node: NodeID) {
        guard !document.isSVG(node), document.localTag(node) == .math else { return }
        if let formula = makeCleanFormula(node) { document.insert(formula, before: node) }
    }

    /// An embedded player becomes a link to it, so that readers know there is one.
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
