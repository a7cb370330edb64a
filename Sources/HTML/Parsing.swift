/// What one parse may take.
public struct ParseBudget: Sendable {
    /// Bytes of source. 20 MiB is also what the fetcher takes at most, unless its settings say otherwise.
    public var sourceBytes = 20_971_520
    /// Deepest element kept as nested; deeper ones become siblings, their text stays. Browsers use 512.
    public var depth = 512
    /// Attributes of one element that are kept. Real elements have a dozen; what is done with them may look at each for
    /// each other.
    public var attributes = 512
    /// Elements, texts and attributes of a page, at most.
    public var nodes = 10_000_000
    /// How many of them a page may have however small it is; a larger one has one more for each twelve bytes. Real pages have
    /// one for each 30 bytes or more, tables of tiny cells one for five, mark-up whose elements multiply one for less than
    /// one (measured 2026-11 on Readability's and the extraction benchmark's pages).
    public var freeNodes = 250_000

    /// Depth of a large page's nodes, on average and at most. Of real pages it is 8 to 21 (measured as above).
    /// Whoever looks at all that lies in each element, as Readability does, takes
    /// time in proportion to the sum of the depths.
    public var meanDepth = 64

    public init() {}

    /// What the depths of so many nodes may add up to. Eight thousand nodes may be as deep as they like.
    func depths(ofNodes count: Int) -> Int { meanDepth * count + 4_000_000 }

    /// Most nodes of a page of so many bytes.
    public func nodes(ofSource bytes: Int) -> Int { min(nodes, freeNodes + bytes / 12) }
}

/// The page would take more than its budget to parse.
public enum ParseError: Error, Equatable {
    case tooLarge(bytes: Int, limit: Int)
    case overBudget
}

extension Document {
    /// Parses a page as browsers do, scripting off, comments dropped. The bytes are UTF-8; invalid ones become U+FFFD.
    ///
    /// Never fails on broken HTML, only on a page beyond its budget. Takes time and memory in proportion to the page.
    public init(parsing source: consuming [UInt8], budget: ParseBudget = ParseBudget()) throws(ParseError) {
        try self.init(parsing: source, budget: budget, keepsComments: false)
    }

    public init(parsing source: String, budget: ParseBudget = ParseBudget()) throws(ParseError) {
        try self.init(parsing: Array(source.utf8), budget: budget)
    }

    init(parsing source: consuming [UInt8], budget: ParseBudget, keepsComments: Bool) throws(ParseError) {
        self.init()
        try addSource(source, budget)
        var builder = TreeBuilder(self, from: 0, budget: budget, keepsComments: keepsComments)
        try builder.build()
        self = builder.finish()
    }

    /// Parses text as the content of a `body`; the children of the answer are the result. When it is over budget the
    /// document is as it was, but for nodes that belong to nothing.
    public mutating func parseFragment(
        _ source: consuming [UInt8], budget: ParseBudget = ParseBudget()
    ) throws(ParseError) -> NodeID {
        try parseFragment(source, budget: budget, in: .html, named: "body", keepsComments: false)
    }

    /// Parses text as the content of an element: the standard's fragment case.
    mutating func parseFragment(
        _ source: consuming [UInt8], budget: ParseBudget, in kind: Kind, named name: String, keepsComments: Bool
    ) throws(ParseError) -> NodeID {
        let start = bytes.count
        try addSource(source, budget)
        let fragment = addRow(.fragment, name: Tag.none.rawValue, extent: Extent())
        let element = addRow(kind, name: elementNames.code(of: name), extent: Extent())
        let document = self
        self = Document()
        var builder = TreeBuilder(document, from: start, budget: budget, keepsComments: keepsComments)
        builder.beginFragment(fragment, in: element)
        defer { self = builder.finish() }
        try builder.build()
        return fragment
    }

    /// Puts a page's text behind what is there: without byte order mark, line ends as line feeds, invalid bytes replaced.
    private mutating func addSource(_ source: consuming [UInt8], _ budget: ParseBudget) throws(ParseError) {
        guard source.count <= budget.sourceBytes else {
            throw .tooLarge(bytes: source.count, limit: budget.sourceBytes)
        }
        let text = SourceText.prepared(source)
        if bytes.isEmpty { bytes = text } else { bytes += text }
    }
}

extension TreeBuilder {
    /// Sets the builder up for the content of an element instead of a page.
    mutating func beginFragment(_ fragment: NodeID, in element: NodeID) {
        let isForeign = document.isForeign(element)
        let tag = document.tag(element)
        let traits =
            isForeign
            ? ElementTraits.foreign(document.localTag(element), isSVG: document.isSVG(element)) : .html(tag)
        context = OpenElement(node: element, tag: tag, name: document.names[element.row], traits: traits)
        // The root `html` element of the standard; the fragment takes its place.
        push(OpenElement(node: fragment, tag: .html, name: Tag.html.rawValue, traits: .html(.html)))
        switch tag {
        case .title, .textarea: tokenizer.content = .rcdata
        case .style, .xmp, .iframe, .noembed, .noframes: tokenizer.content = .rawText
        case .script: tokenizer.content = .script
        case .plaintext: tokenizer.content = .plaintext
        default: break
        }
        if tag == .template { templateModes.append(.inTemplate) }
        if tag == .form { form = element }
        resetMode()
        tokenizer.allowsCDATA = isForeign
    }
}
