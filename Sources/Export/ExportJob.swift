import Jobs

/// One lease of one export.
struct ExportJob: Sendable, Equatable {
    var id: String
    var request: ExportRequest
    /// Which attempt this is, from 1; with `id` the token of the lease.
    var attempt: Int

    var lease: Lease { Lease(key: id, number: attempt) }
}
