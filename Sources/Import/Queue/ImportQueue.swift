import Jobs
import Postgres

/// The queue of imported files, `private.imports`.
struct ImportQueue {
    private let queue: LeasedQueue

    /// Attempts after which an import fails.
    static let attempts = 3

    private static let table: LeaseStatements = {
        var table = LeaseStatements("imports", key: "id", keyType: "uuid")
        table.condition = "attempts < \(literal: attempts)"
        table.onLease = "attempts = attempts + 1"
        return table
    }()

    /// - Parameter lease: seconds a lease lasts without renewal.
    init(_ database: Database, lease: Int) {
        queue = LeasedQueue(Self.table, database, seconds: lease, applicationName: "lectern imports")
    }

    /// Leases the import whose turn it is: users take turns at random.
    func take() throws(PostgresError) -> ImportJob? {
        let rows = try queue.lease(
            from: """
                select id from private.imports
                where id = (
                    select id from (
                        select distinct on (user_id) id, user_id from private.imports
                        where state = 'pending' and run_at <= now() and attempts < \(literal: Self.attempts)
                        order by user_id, created_at, id
                    ) as first_of_users
                    order by random() limit 1
                ) and state = 'pending'
                for update skip locked
                """,
            returning: "id, user_id, name, format, lease, attempts, staged_at is not null, is_held, summary is not null"
        )
        guard rows.count == 1, let id = rows.text(0, 0), let user = rows.text(0, 1), let name = rows.text(0, 2),
            let lease = rows.int(0, 4), let attempt = rows.int(0, 5)
        else { return nil }
        return ImportJob(
            id: id, user: user, name: name, format: rows.text(0, 3), lease: Lease(key: id, number: lease),
            isStaged: rows.bool(0, 6) ?? false, isHeld: rows.bool(0, 7) ?? false,
            hasSummary: rows.bool(0, 8) ?? false, attempt: attempt)
    }

    /// Gives up imports whose last attempt was interrupted.
    func buryInterrupted() throws(PostgresError) {
        try queue.run(
            """
            update private.imports
            set state = 'failed', leased_until = null, finished_at = now(),
                reason = 'The server was stopped during every attempt to read the file.'
            where state = 'running' and leased_until < now() and attempts >= \(literal: Self.attempts)
            """)
    }

    /// - Returns: false when the lease was lost, because the import was cancelled or its user deleted.
    func renew(_ job: ImportJob) throws(PostgresError) -> Bool { try !queue.renew([job.lease]).isEmpty }

    /// What has become of a document.
    enum Outcome: String {
        case stored
        /// The user has the document; the file is not needed.
        case duplicate
        case rejected
    }

    /// Ends the import with a document and its link; nil when the lease was lost.
    func store(
        _ document: StoredDocument, of job: ImportJob, linkQuota: Int
    ) throws(PostgresError) -> Outcome? {
        let rows = try queue.run(
            """
            select private.store_document(
                \(job.id)::uuid, \(job.lease.number)::int, \(document.hash), \(document.kind.rawValue),
                \(document.address), \(linkQuota)::bigint)
            """)
        return rows.text(0, 0).flatMap(Outcome.init)
    }

    /// Ends the import of a document that cannot be read.
    ///
    /// - Parameter why: a sentence for the user.
    func reject(_ job: ImportJob, _ why: String) throws(PostgresError) {
        try queue.run("select private.reject_document(\(job.id)::uuid, \(job.lease.number)::int, \(why))")
    }

    // MARK: - Entries

    /// The import was cancelled, or its user deleted.
    struct LostLease: Error {}

    /// Stages entries.
    ///
    /// - Parameters:
    ///   - entries: a JSON array for `private.stage_import_entries`.
    ///   - rows: the rows of the file so far.
    func stage(_ entries: String, rows: Int, of job: ImportJob) throws {
        let staged = try queue.run(
            "select private.stage_import_entries(\(job.id)::uuid, \(job.lease.number)::int, \(entries)::jsonb)"
        ).int(0, 0)
        guard let staged else { throw LostLease() }
        // An attempt that gets further than the last one does not count as a failed one.
        let attempts: SQL = staged > 0 ? "1" : "attempts"
        try change(job, set: "staged_rows = greatest(staged_rows, \(rows)::int), attempts = \(attempts)")
    }

    /// Records that all entries of a file are staged.
    func finishStaging(_ job: ImportJob, format: String, rows: Int, summary: String) throws {
        let next: SQL = job.isHeld ? ", \(Self.leftToUser)" : ""
        try change(
            job,
            set: """
                staged_at = now(), format = \(format), staged_rows = \(rows)::int, attempts = 1,
                summary = \(summary)::jsonb\(next)
                """)
    }

    /// Leaves a document to its user.
    func hold(_ job: ImportJob, document summary: String) throws {
        try change(job, set: "format = 'document', summary = \(summary)::jsonb, \(Self.leftToUser)")
    }

    /// An import that its user does not begin within a day comes back, and is cancelled.
    private static let leftToUser: SQL = "state = 'pending', leased_until = null, run_at = now() + interval '1 day'"

    /// Cancels an import that its user has not begun.
    func cancelHeld(_ job: ImportJob) throws {
        try change(job, set: "state = 'cancelled', leased_until = null, finished_at = now()")
    }

    /// Saves the next staged entries.
    ///
    /// - Returns: false after the last.
    func saveEntries(of job: ImportJob, linkQuota: Int, storageQuota: Int, limit: Int) throws -> Bool {
        let rows = try queue.run(
            """
            select private.save_import_entries(
                \(job.id)::uuid, \(job.lease.number)::int, \(linkQuota)::bigint, \(storageQuota)::bigint, \(limit)::int)
            """)
        guard let handled = rows.int(0, 0) else { throw LostLease() }
        return handled > 0
    }

    /// Makes PostgreSQL plan the statements of its functions again. Plans that were made for tables of a few rows stay, and
    /// read those tables as a whole when they have grown.
    func discardPlans() throws(PostgresError) { try queue.run("discard plans") }

    func finish(_ job: ImportJob) throws {
        try change(job, set: "state = 'read', leased_until = null, finished_at = now()")
    }

    /// Whether another import is due.
    func isAnotherDue() throws(PostgresError) -> Bool {
        try queue.run(
            "select exists (select from private.imports where state = 'pending' and run_at <= now())"
        ).bool(0, 0) ?? false
    }

    /// Deletes what cancelled imports have staged, and cancels their links that are not fetched yet.
    func clearCancelled(limit: Int) throws(PostgresError) {
        while try queue.run("select private.clear_cancelled_imports(\(limit)::int)").int(0, 0) ?? 0 > 0 {}
    }

    private func change(_ job: ImportJob, set assignments: SQL) throws {
        guard try queue.change(job.lease, set: assignments) else { throw LostLease() }
    }

    // MARK: - Endings

    /// Puts the import back as if it had not been tried.
    func handBack(_ job: ImportJob, after delay: Duration = .zero) throws(PostgresError) {
        try queue.change(job.lease, set: "\(Self.table.waitingAgain(after: delay)), attempts = attempts - 1")
    }

    func retry(_ job: ImportJob, after delay: Duration) throws(PostgresError) {
        try queue.change(job.lease, set: Self.table.waitingAgain(after: delay))
    }

    /// Gives the import up.
    ///
    /// - Parameter why: a sentence for the user.
    func fail(_ job: ImportJob, _ why: String) throws(PostgresError) {
        try queue.change(
            job.lease, set: "state = 'failed', leased_until = null, finished_at = now(), reason = \(why)")
    }

    /// The milliseconds until an import may be read, at most `limit`.
    func millisecondsToNext(limit: Int) throws(PostgresError) -> Int {
        min(max(try queue.millisecondsToNext() ?? limit, 0), limit)
    }

    // MARK: - Files

    /// Those of the given imports whose files are not needed any more, and unknown ones, which may have no row yet.
    func unneeded(_ ids: [String]) throws(PostgresError) -> [(id: String, isKnown: Bool)] {
        guard !ids.isEmpty else { return [] }
        let rows = try queue.run("select id, is_known from private.unneeded_imports(\(array: ids)::uuid[])")
        return (0..<rows.count).compactMap { row in rows.text(row, 0).map { ($0, rows.bool(row, 1) ?? true) } }
    }

    /// Those of the given files that belong to no document.
    func unknownDocuments(_ addresses: [String]) throws(PostgresError) -> [String] {
        guard !addresses.isEmpty else { return [] }
        let rows = try queue.run("select private.unknown_documents(\(array: addresses))")
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    /// Deletes documents that no link refers to any more, and returns the files of deleted ones.
    func filesToRemove(limit: Int) throws(PostgresError) -> [String] {
        while try queue.run("select private.delete_unused_documents(\(limit)::int)").int(0, 0) == limit {}
        let rows = try queue.run(
            """
            select address from private.document_removals where not private.backup_is_running()
            limit \(limit)::int
            """)
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    /// Records that these files were deleted.
    func forget(_ addresses: [String]) throws(PostgresError) {
        try queue.run("delete from private.document_removals where address = any(\(array: addresses))")
    }
}
