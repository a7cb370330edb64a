/// A node of one document: an index, worth nothing without its document.
public struct NodeID: Hashable, Sendable {
    let index: Int32
    init(_ index: Int32) { self.index = index }
    /// Position in tables that hold one row a node.
    public var row: Int { Int(index) }
}

/// An HTML document in an arena: arrays of plain values, nodes are row numbers, text lies in one array of bytes.
///
/// A value: a copy is a snapshot, made when either side changes. Nodes are never freed, only detached; a document lives
/// as long as one extraction. Every walk is a loop, so depth costs no stack.
public struct Document: Sendable {
    enum Kind: UInt8 {
        case document, fragment, text, comment, doctype, html, svg, math
        var isElement: Bool { rawValue >= Kind.html.rawValue }
    }

    /// Rows of a node's relations; -1 is none.
    struct Links {
        var parent: Int32 = -1
        var first: Int32 = -1
        var last: Int32 = -1
        var previous: Int32 = -1
        var next: Int32 = -1
    }

    /// Where a text's bytes or an element's attributes lie.
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

    // One row a node.
    var kinds: [Kind] = []
    var names: [UInt32] = []
    var links: [Links] = []
    var extents: [Extent] = []

    // What the rows point into.
    var attributes: [AttributeRow] = []
    var bytes: [UInt8] = []

    var elementNames = NameTable.elements
    var attributeNames = NameTable.attributes

    /// Contents of `template` elements: fragments outside the tree, as the standard has it.
    var templateContents: [NodeID: NodeID] = [:]

    /// Whether the page asked for the ways of old browsers by its doctype, or the lack of one.
    public internal(set) var isQuirky = false

    /// The page's doctype, where it was asked for.
    var doctype: Doctype?

    /// An empty document.
    public init() {
        _ = addRow(.document, name: Tag.none.rawValue, extent: Extent())
    }

    /// The document node, parent of `html`.
    public var root: NodeID { NodeID(0) }

    /// Bytes of the page it was parsed from, and of what was added since.
    public var textBytes: Int { bytes.count }

    /// Number of nodes ever made.
    public var nodeCount: Int { kinds.count }

    mutating func addRow(_ kind: Kind, name: UInt32, extent: Extent) -> NodeID {
        let node = NodeID(Int32(kinds.count))
        kinds.append(kind)
        names.append(name)
        links.append(Links())
        extents.append(extent)
        return node
    }

    // MARK: What a node is

    public func isElement(_ node: NodeID) -> Bool { kinds[node.row].isElement }
    public func isText(_ node: NodeID) -> Bool { kinds[node.row] == .text }
    public func isForeign(_ node: NodeID) -> Bool { kinds[node.row] == .svg || kinds[node.row] == .math }
    public func isSVG(_ node: NodeID) -> Bool { kinds[node.row] == .svg }

    /// The HTML element's name; `foreign` for SVG and MathML.
    public func tag(_ node: NodeID) -> Tag {
        switch kinds[node.row] {
        case .html: Tag(rawValue: names[node.row]) ?? .other
        case .svg, .math: .foreign
        default: .none
        }
    }

    /// The element's name whatever its namespace, as a selector sees it: an `a` of SVG is an `a`.
    public func localTag(_ node: NodeID) -> Tag {
        kinds[node.row].isElement ? Tag(rawValue: names[node.row]) ?? .other : .none
    }

    /// The element's name as written; empty for other nodes.
    public func name(of node: NodeID) -> String {
        kinds[node.row].isElement ? elementNames.spelling(names[node.row]) : ""
    }

    // MARK: Relations

    public func parent(_ node: NodeID) -> NodeID? { existing(links[node.row].parent) }
    public func firstChild(_ node: NodeID) -> NodeID? { existing(links[node.row].first) }
    public func lastChild(_ node: NodeID) -> NodeID? { existing(links[node.row].last) }
    public func nextSibling(_ node: NodeID) -> NodeID? { existing(links[node.row].next) }
    public func previousSibling(_ node: NodeID) -> NodeID? { existing(links[node.row].previous) }

    /// The contents of a `template` element.
    public func templateContent(_ node: NodeID) -> NodeID? { templateContents[node] }

    private func existing(_ row: Int32) -> NodeID? { row < 0 ? nil : NodeID(row) }
}
