import Jobs

/// One lease of the job that makes the book of a link.
struct BookJob: Hashable, Sendable {
    var link: String
    var user: String
    var lease: Lease
    /// Which attempt this is, from 1.
    var attempt: Int
}
