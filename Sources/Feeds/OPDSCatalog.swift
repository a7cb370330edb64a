/// A page of a catalog for e-readers: OPDS 1.2 (https://specs.opds.io/opds-1.2).
public struct OPDSCatalog: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// Leads to other pages.
        case navigation
        /// Lists books.
        case acquisition

        /// The media type of a page of this kind.
        public var type: String { "application/atom+xml;profile=opds-catalog;kind=" + rawValue }
    }

    public enum Content: Equatable, Sendable {
        case sections([OPDSSection])
        case publications([Publication])

        var kind: Kind {
            switch self {
            case .sections: .navigation
            case .publications: .acquisition
            }
        }
    }

    /// The URLs of pages that belong to this one.
    public struct Addresses: Equatable, Sendable {
        /// The page itself.
        public var this: String
        /// The root of the catalog.
        public var start: String
        /// The page above this one; nil at the root.
        public var up: String?
        /// The following page of a long list.
        public var next: String?
        /// The description of the search.
        public var search: String

        public init(this: String, start: String, up: String? = nil, next: String? = nil, search: String) {
            self.this = this
            self.start = start
            self.up = up
            self.next = next
            self.search = search
        }
    }

    /// An IRI that never changes.
    public var id: String
    public var title: String
    public var addresses: Addresses
    public var content: Content

    public init(id: String, title: String, addresses: Addresses, content: Content) {
        self.id = id
        self.title = title
        self.addresses = addresses
        self.content = content
    }

    var updated: String {
        let times: [String] =
            switch content {
            case .sections(let sections): sections.map(\.updated)
            case .publications(let publications): publications.map(\.entry.updated)
            }
        return times.max() ?? OPDSSection.unknownTime
    }

    public var contentType: String { content.kind.type + ";charset=utf-8" }
}
