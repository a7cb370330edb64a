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
