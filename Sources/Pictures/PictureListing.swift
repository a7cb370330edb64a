import Jobs

/// One lease of the job that lists the pictures of one link.
struct PictureListing: Hashable, Sendable {
    var link: String
    var user: String
    var lease: Lease
    /// Whether the user has opened the link.
    var isWanted: Bool
    /// Leases before this one that ended without a result.
    var interruptions: Int
}
