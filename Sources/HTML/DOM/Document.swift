/// An HTML document in an arena: nodes are row numbers in arrays of plain values, and all text is in one byte array.
///
/// Documents have value semantics: a copy is a snapshot, made when either side changes. Nodes are detached but never
/// freed; a document lives as long as one extraction. Every traversal is a loop, so depth costs no stack.
public struct Document: Sendable {
    enum Kind: UInt8 {
        case document, fragment, text, comment, doctype, html, svg, math
        var isElement: Bool { rawValue >= Kind.html.rawValue }
    }

    /// Row numbers of related nodes; -1 means none.
    struct Links {
        var parent: Int32 = -1
        var first: Int32 = -1
        var last: Int32 = -1
        var previous: Int32 = -1
        var next: Int32 = -1
    }

    /// Location of a text node's bytes or of an element's attributes.
    struct Extent {
        var start: UInt32 = 0
        var count: UInt32 = 0
        var end: Int { Int(start) + Int(count) }
        var range: Range<Int> { Int(start)..<end }
    }

    struct AttributeRow {
        var name: UInt32
        var value: Extent
    }

    // One row per node.
    var kinds: [Kind] = []
    var names: [UInt32] = []
    var links: [Links] = []
    var extents: [Extent] = []

    // Storage that the rows point into.
    var attributes: [AttributeRow] = []
    var bytes: [UInt8] = []

    var elementNames = NameTable.elements
    var attributeNames = NameTable.attributes

    /// Contents of `template` elements: fragments outside the tree, as the standard requires.
    var templateContents: [NodeID: NodeID] = [:]

    /// Whether the doctype, or its absence, selects quirks mode.
    public internal(set) var isQuirky = false

    /// The page's doctype; only recorded when comments are kept.
    var doctype: Doctype?

    /// Creates an empty document.
    public init() {
        _ = addRow(.document, name: Tag.none.rawValue, extent: Extent())
    }

    /// The document node, the parent of `html`.
    public var root: NodeID { NodeID(0) }

    /// Size in bytes of the parsed source plus all text added since.
    public var textBytes: Int { bytes.count }

    /// Number of nodes ever created, including detached ones.
    public var nodeCount: Int { kinds.count }

    mutating func addRow(_ kind: Kind, name: UInt32, extent: Extent) -> NodeID {
        let node = NodeID(Int32(kinds.count))
        kinds.append(kind)
        names.append(name)
        links.append(Links())
        extents.append(extent)
        return node
    }

    // MARK: Node properties

    public func isElement(_ node: NodeID) -> Bool { kinds[node.row].isElement }
    public func isText(_ node: NodeID) -> Bool { kinds[node.row] == .text }
    public func isForeign(_ node: NodeID) -> Bool { kinds[node.row] == .svg || kinds[node.row] == .math }
    public func isSVG(_ node: NodeID) -> Bool { kinds[node.row] == .svg }

    /// Returns an HTML element's name; `foreign` for SVG and MathML elements.
    public func tag(_ node: NodeID) -> Tag {
        switch kinds[node.row] {
        case .html: Tag(rawValue: names[node.row]) ?? .other
        case .svg, .math: .foreign
        default: .none
        }
    }

    /// Returns an element's name in any namespace, as a CSS selector matches it: an SVG `a` is an `a`.
    public func localTag(_ node: NodeID) -> Tag {
        kinds[node.row].isElement ? Tag(rawValue: names[node.row]) ?? .other : .none
    }

    /// Returns an element's name as written; empty for other nodes.
    public func name(of node: NodeID) -> String {
        kinds[node.row].isElement ? elementNames.spelling(names[node.row]) : ""
    }

    // MARK: Relations

    public func parent(_ node: NodeID) -> NodeID? { existing(links[node.row].parent) }
    public func firstChild(_ node: NodeID) -> NodeID? { existing(links[node.row].first) }
    public func lastChild(_ node: NodeID) -> NodeID? { existing(links[node.row].last) }
    public func nextSibling(_ node: NodeID) -> NodeID? { existing(links[node.row].next) }
    public func previousSibling(_ node: NodeID) -> NodeID? { existing(links[node.row].previous) }

    /// Returns the contents of a `template` element.
    public func templateContent(_ node: NodeID) -> NodeID? { templateContents[node] }

    private func existing(_ row: Int32) -> NodeID? { row < 0 ? nil : NodeID(row) }
}
