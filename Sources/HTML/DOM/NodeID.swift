/// A node of one document: an index that is only valid together with its document.
public struct NodeID: Hashable, Sendable {
    let index: Int32
    init(_ index: Int32) { self.index = index }
    /// Row number in tables with one row per node.
    public var row: Int { Int(index) }
}
