/// One lease of one job.
public struct Job: Sendable, Hashable {
    public var id: Int
    public var userID: String
    public var linkID: String
    /// Number of the lease. With `id` it is the token that ends, retries or buries the job: it opens as long as nobody
    /// has leased the job since.
    public var lease: Int
    /// Which try at the page this is, from 1. Only failures of the page count.
    public var attempt: Int
    /// Leases before this one, in a row, that ended without a word: their process was killed, or hung.
    public var interruptions: Int
    public var kind: Kind
    /// Somebody waits for this very one, which was not saved with many others.
    public var isAwaited: Bool

    public enum Kind: String, Sendable {
        /// Resolve and extract a saved link: somebody waits for it.
        case save
        /// Extract it again from what is kept.
        case extract
        /// Look where its highlights are now.
        case place
        /// Ask whether its page is still there.
        case check
        /// Fetch and extract it anew, since time has passed.
        case refresh

        /// The server looks at the page again by itself.
        public var isRevisit: Bool { self == .check || self == .refresh }
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

/// Why a job did not succeed.
public struct JobFailure: Error, Sendable, Equatable {
    /// A stable code, such as `timeout`.
    public var reason: String
    /// A sentence a person can read.
    public var message: String

    public init(reason: String, message: String) {
        self.reason = reason
        self.message = message
    }
}

/// How work on a job ended.
public enum JobEnding: Sendable, Equatable {
    /// The queue knows: done, put back or given up; or the lease was lost, and it is another's.
    case settled
    /// Something of ours failed, and the page is not to blame: the job is handed back as if it had not been tried.
    case handedBack(after: Duration, JobFailure)
}
