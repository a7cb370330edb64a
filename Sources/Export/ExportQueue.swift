import Postgres

/// One lease of one export.
struct ExportLease: Sendable, Equatable {
    var id: String
    var user: String
    /// Which try this is, from 1. With `id` the token of the lease: it opens as long as nobody has taken the export since.
    var attempt: Int
}

/// `private.exports`, as the jobs see it.
struct ExportQueue {
    private let database: Database
    /// Seconds a lease holds without renewal.
    private let lease: Int

    /// Tries after which an export is given up.
    static let attempts = 3

    private static let identity = Identity(role: "none", statementTimeout: 30_000, applicationName: "lectern exports")

    init(_ database: Database, lease: Int) {
        self.database = database
        self.lease = lease
    }

    /// Takes the export that has waited longest, or one whose writer has died.
    func take() throws(PostgresError) -> ExportLease? {
        let rows = try run(
            """
            update private.exports
            set state = 'running', attempts = attempts + 1, rows_done = 0, rows_total = null,
                leased_until = now() + \(lease) * interval '1 second'
            where id = (
                select id from private.exports
                where expires_at > now() and attempts < \(literal: Self.attempts)
                    and (state = 'waiting' or (state = 'running' and leased_until < now()))
                order by created_at, id limit 1 for update skip locked)
            returning id, user_id, attempts
            """)
        guard rows.count == 1, let id = rows.text(0, 0), let user = rows.text(0, 1), let attempt = rows.int(0, 2) else { return nil }
        return ExportLease(id: id, user: user, attempt: attempt)
    }

    /// Gives up those whose writer died the last time they may be tried.
    ///
    /// - Returns: their ids.
    func bury() throws(PostgresError) -> [String] {
        let rows = try run(
            """
            update private.exports
            set state = 'failed', finished_at = now(), message = 'The server was stopped each time while it wrote the file'
            where state = 'running' and leased_until < now() and attempts >= \(literal: Self.attempts)
            returning id
            """)
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    /// Tells how far it is, and that its writer is alive.
    ///
    /// - Returns: false when the lease is lost, or the user is gone.
    func renew(_ export: ExportLease, done: Int, total: Int) throws(PostgresError) -> Bool {
        try change(export, "rows_done = \(done), rows_total = \(total), leased_until = now() + \(lease) * interval '1 second'")
    }

    /// The file is there. It takes the place of older ones of the user, which only fill the disk.
    ///
    /// - Returns: false when the lease is lost, or the user is gone.
    func finish(_ export: ExportLease, _ summary: PersonalArchive.Summary) throws(PostgresError) -> Bool {
        let done = summary.rows + summary.articles
        guard try change(
            export,
            "state = 'ready', finished_at = now(), bytes = \(summary.bytes), rows_done = \(done), rows_total = \(done)")
        else { return false }
        _ = try run(
            "delete from private.exports where user_id = \(export.user)::uuid and state = 'ready' and id <> \(export.id)::uuid")
        return true
    }

    /// To be taken up again after so many seconds.
    func putOff(_ export: ExportLease, seconds: Int) throws(PostgresError) {
        _ = try change(export, "leased_until = now() + \(seconds) * interval '1 second'")
    }

    /// As if it had not been tried.
    func handBack(_ export: ExportLease) throws(PostgresError) {
        _ = try change(export, "state = 'waiting', attempts = attempts - 1, leased_until = null")
    }

    func fail(_ export: ExportLease, _ message: String) throws(PostgresError) {
        _ = try change(export, "state = 'failed', finished_at = now(), message = \(message)")
    }

    /// - Returns: milliseconds until a writer that died is given up for dead.
    func millisecondsToNext(most: Int) throws(PostgresError) -> Int {
        let rows = try run(
            """
            select ceil(extract(epoch from min(leased_until) - clock_timestamp()) * 1000)::bigint + 10
            from private.exports where state = 'running'
            """)
        return min(max(rows.int(0, 0) ?? most, 0), most)
    }

    private func change(_ export: ExportLease, _ what: SQL) throws(PostgresError) -> Bool {
        try run(
            """
            update private.exports set \(what)
            where id = \(export.id)::uuid and state = 'running' and attempts = \(export.attempt)
            """
        ).affected == 1
    }

    private func run(_ statement: SQL) throws(PostgresError) -> Rows {
        guard let rows = try database.transaction(as: Self.identity, [statement]).first else {
            throw .broken(reason: "a statement without a result")
        }
        return rows
    }
}
