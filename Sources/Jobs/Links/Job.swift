/// One lease of one job of a saved link.
public struct Job: Sendable, Hashable {
    public var id: Int
    public var userID: String
    public var linkID: String
    /// The number of the lease. With `id` it is the token that ends, retries or buries the job, until somebody leases
    /// the job again.
    public var lease: Int
    /// Which attempt at the page this is, from 1. Only failures of the page count.
    public var attempt: Int
    /// Leases in a row before this one that ended without a result: their process was killed, or hung.
    public var interruptions: Int
    public var kind: Kind
    /// Whether a user waits for this job; false for bulk saves and background jobs.
    public var isAwaited: Bool

    public enum Kind: String, Sendable {
        /// Resolve and extract a saved link: somebody waits for it.
        case save
        /// Extract it again from the stored pages.
        case extract
        /// Find the new positions of its highlights.
        case place
        /// Check whether its page still exists.
        case check
        /// Fetch and extract it again, since time has passed.
        case refresh

        /// Whether the server requests the page again without having been asked to.
        public var isRecheck: Bool { self == .check || self == .refresh }
    }

    public init(
        id: Int, userID: String, linkID: String, lease: Int, attempt: Int, interruptions: Int = 0, kind: Kind = .save,
        isAwaited: Bool = true
    ) {
        self.id = id
        self.userID = userID
        self.linkID = linkID
        self.lease = lease
        self.attempt = attempt
        self.interruptions = interruptions
        self.kind = kind
        self.isAwaited = isAwaited
    }
}
