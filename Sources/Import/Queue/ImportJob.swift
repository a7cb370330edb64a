import Jobs

/// One lease of one imported file.
struct ImportJob: Sendable, Equatable {
    var id: String
    var user: String
    /// The file's own name.
    var name: String
    /// The format that the client named.
    var format: String?
    var lease: Lease
    /// Whether all entries of the file are staged; the file is not needed then.
    var isStaged = false
    /// Whether the user decides once the file has been read.
    var isHeld = false
    /// Whether the file has been read once.
    var hasSummary = false
    /// Which attempt this is, from 1.
    var attempt: Int
}
