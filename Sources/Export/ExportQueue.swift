import ExportFormats
import Jobs
import Postgres

/// The queue of exports, `private.exports`.
struct ExportQueue {
    private let queue: LeasedQueue

    /// Attempts after which an export is given up.
    static let attempts = 3

    /// Every lease counts as an attempt. An export waits from its creation on; one that failed keeps its lease until
    /// its next attempt.
    private static let table: LeaseStatements = {
        var table = LeaseStatements("exports", key: "id", keyType: "uuid")
        table.leaseNumber = "attempts"
        (table.waiting, table.due) = ("waiting", "created_at")
        table.condition = "expires_at > now() and attempts < \(literal: attempts)"
        table.onLease = "rows_done = 0, rows_total = null"
        return table
    }()

    /// - Parameter lease: seconds a lease lasts without renewal.
    init(_ database: Database, lease: Int) {
        queue = LeasedQueue(Self.table, database, seconds: lease, applicationName: "lectern exports")
    }

    /// Leases an export whose lease has expired, or the one that has waited longest.
    func take() throws(PostgresError) -> ExportJob? {
        let rows = try queue.lease(returning: "id, user_id, attempts, format, query, tree")
        guard rows.count == 1, let id = rows.text(0, 0), let user = rows.text(0, 1), let attempt = rows.int(0, 2),
            let format = rows.text(0, 3).flatMap(ExportFormat.init)
        else { return nil }
        let query = rows.text(0, 5).map { ExportRequest.Query(text: rows.text(0, 4) ?? "", tree: $0) }
        let request = ExportRequest(user: user, format: format, query: query)
        return ExportJob(id: id, request: request, attempt: attempt)
    }

    /// Gives up exports whose last attempt was interrupted.
    ///
    /// - Returns: their ids.
    func buryInterrupted() throws(PostgresError) -> [String] {
        let rows = try queue.run(
            """
            update private.exports set state = 'failed', finished_at = now(), message = \(Self.interrupted)
            where state = 'running' and leased_until < now() and attempts >= \(literal: Self.attempts)
            returning id
            """)
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    private static let interrupted = "The server was stopped during every attempt to write the file"

    /// Stores the progress and renews the lease.
    ///
    /// - Returns: false when the lease was lost, or the user was deleted.
    func renew(_ export: ExportJob, done: Int, total: Int) throws(PostgresError) -> Bool {
        try queue.renew(export.lease, set: "rows_done = \(done), rows_total = \(total)")
    }

    /// Ends an export whose file is complete, and deletes the user's older exports of this format, which only use disk space.
    ///
    /// - Returns: false when the lease was lost, or the user was deleted.
    func finish(_ export: ExportJob, _ summary: ExportRequest.Summary) throws(PostgresError) -> Bool {
        let request = export.request
        let done = request.format == .zip ? summary.rows + summary.articles + summary.files : summary.rows
        guard
            try queue.change(
                export.lease,
                set: """
                    state = 'ready', finished_at = now(), bytes = \(summary.bytes),
                        rows_done = \(done), rows_total = \(done)
                    """)
        else { return false }
        try queue.run(
            """
            delete from private.exports
            where user_id = \(request.user)::uuid and format = \(request.format.rawValue) and state = 'ready'
                and id <> \(export.id)::uuid
            """)
        return true
    }

    /// Puts an export back for another attempt. It keeps its lease until then.
    func retry(_ export: ExportJob, after delay: Duration) throws(PostgresError) {
        try queue.change(export.lease, set: "leased_until = now() + \(LeaseStatements.interval(delay))")
    }

    /// Hands an export back as if it had not been tried.
    func handBack(_ export: ExportJob) throws(PostgresError) {
        try queue.change(export.lease, set: "state = 'waiting', attempts = attempts - 1, leased_until = null")
    }

    /// Gives an export up.
    ///
    /// - Parameter message: the reason, for the user.
    func fail(_ export: ExportJob, _ message: String) throws(PostgresError) {
        try queue.change(export.lease, set: "state = 'failed', finished_at = now(), message = \(message)")
    }

    /// The milliseconds until an export may be leased or given up, at most `limit`.
    func millisecondsToNext(limit: Int) throws(PostgresError) -> Int {
        min(max(try queue.millisecondsToNext() ?? limit, 0), limit)
    }
}
