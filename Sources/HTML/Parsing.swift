/// The limits of one parse.
public struct ParseBudget: Sendable {
    /// Maximum source size in bytes. 20 MiB is also the fetcher's default limit.
    public var sourceBytes = 20_971_520
    /// Maximum nesting depth. Deeper elements become siblings and keep their text. Browsers use 512.
    public var depth = 512
    /// Maximum number of attributes kept per element. Real elements have about a dozen; later steps may compare each
    /// attribute with every other.
    public var attributes = 512
    /// Maximum number of elements, text nodes and attributes of a page.
    public var nodes = 10_000_000
    /// Number of nodes allowed for a page of any size; larger pages get one more for each twelve bytes. Real pages have
    /// one node per 30 bytes or more, tables of tiny cells one per five bytes, and markup whose elements multiply more
    /// than one per byte (measured 2026-11 on the pages of Readability and of the extraction benchmark).
    public var freeNodes = 250_000

    /// Maximum average depth of a large page's nodes. Real pages average 8 to 21 (measured as above). An algorithm that
    /// visits everything inside each element, as Readability does, takes time proportional to the sum of the depths.
    public var meanDepth = 64

    public init() {}

    /// Returns the maximum sum of depths for a number of nodes. Eight thousand nodes may have any depth.
    func depths(ofNodes count: Int) -> Int { meanDepth * count + 4_000_000 }

    /// Returns the maximum number of nodes for a source of this size in bytes.
    public func nodes(ofSource bytes: Int) -> Int { min(nodes, freeNodes + bytes / 12) }
}

/// The page exceeds its parse budget.
public enum ParseError: Error, Equatable {
    case tooLarge(bytes: Int, limit: Int)
    case overBudget
}

extension Document {
    /// Parses a page as browsers do, with scripting off and comments dropped. The bytes are UTF-8; invalid bytes become
    /// U+FFFD.
    ///
    /// Throws only if the page exceeds its budget, never because of broken HTML. Time and memory are proportional to
    /// the page.
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

    /// Parses text as the content of a `body`. The parsed nodes are the children of the returned fragment. If it
    /// throws, the document is unchanged except for unattached nodes.
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

    /// Appends a page's text to the arena: without byte order mark, with line feeds as line ends, with invalid bytes
    /// replaced.
    private mutating func addSource(_ source: consuming [UInt8], _ budget: ParseBudget) throws(ParseError) {
        guard source.count <= budget.sourceBytes else {
            throw .tooLarge(bytes: source.count, limit: budget.sourceBytes)
        }
        let text = SourceText.prepared(source)
        if bytes.isEmpty { bytes = text } else { bytes += text }
    }
}

extension TreeBuilder {
    /// Prepares the builder for the content of an element instead of a whole page.
    mutating func beginFragment(_ fragment: NodeID, in element: NodeID) {
        let isForeign = document.isForeign(element)
        let tag = document.tag(element)
        let traits =
            isForeign
            ? ElementTraits.foreign(document.localTag(element), isSVG: document.isSVG(element)) : .html(tag)
        context = OpenElement(node: element, tag: tag, name: document.names[element.row], traits: traits)
        // Takes the place of the standard's root `html` element.
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
