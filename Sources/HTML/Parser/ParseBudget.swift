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
