/// An entry of a page of a catalog that leads to another page.
public struct OPDSSection: Equatable, Sendable {
    /// The time of pages whose last change is not known: Atom requires one.
    static let unknownTime = "1970-01-01T00:00:00Z"

    /// An IRI that never changes.
    public var id: String
    public var title: String
    /// One sentence about what the page lists.
    public var summary: String
    public var address: String
    public var kind: OPDSCatalog.Kind
    /// Whether the page lists what is new.
    public var isNewest: Bool
    /// The number of books; nil if it was not counted.
    public var count: Int?

    public init(
        id: String, title: String, summary: String, address: String, kind: OPDSCatalog.Kind, isNewest: Bool = false,
        count: Int? = nil
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.address = address
        self.kind = kind
        self.isNewest = isNewest
        self.count = count
    }

    var updated: String { Self.unknownTime }
    var relation: String { isNewest ? "http://opds-spec.org/sort/new" : "subsection" }
}
