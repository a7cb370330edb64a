import Jobs

/// One lease of the job that fetches one picture.
struct PictureJob: Hashable, Sendable {
    var picture: String
    var user: String
    var lease: Lease
    /// Which attempt this is, from 1.
    var attempt: Int
    /// Leases in a row before this one that ended without a result.
    var interruptions: Int
}
