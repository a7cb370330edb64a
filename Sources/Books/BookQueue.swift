import Jobs
import Postgres

/// The books of links, `private.link_books`: what is to be made, and what is there.
struct BookQueue {
    private let queue: LeasedQueue

    /// Attempts after which a book is given up until its article changes.
    static let attempts = 3

    private static let table: LeaseStatements = {
        var table = LeaseStatements("link_books", key: "link_id", keyType: "uuid")
        table.condition = "attempts < \(literal: attempts)"
        table.onLease = "attempts = attempts + 1"
        return table
    }()

    /// - Parameter lease: seconds a lease lasts without renewal.
    init(_ database: Database, lease: Int) {
        queue = LeasedQueue(Self.table, database, seconds: lease, applicationName: "lectern books")
    }

    /// Leases the next book: mostly the one that was requested first, otherwise one of a random user, so that nobody
    /// waits for the import or the requests of another. Users with waiting books are found by one index lookup for each.
    ///
    /// - Parameter shareOfRequested: the probability with which a requested book comes first.
    func take(shareOfRequested: Double = 0.75) throws(PostgresError) -> BookJob? {
        let rows = try queue.lease(
            from: """
                with recursive users (user_id) as (
                    (select user_id from private.link_books where state = 'pending' order by user_id limit 1)
                    union all
                    select further.user_id from users, lateral (
                        select user_id from private.link_books
                        where state = 'pending' and user_id > users.user_id
                        order by user_id
                        limit 1
                    ) as further
                )
                select link_id from (
                    select link_id from private.link_books
                    where state = 'pending' and requested_at is not null and run_at <= now()
                        and attempts < \(literal: Self.attempts)
                        and (select random()) < \(String(shareOfRequested))::double precision
                    order by requested_at
                    limit 1
                    for update skip locked
                ) as requested
                union all
                select due.link_id from (select user_id from users order by random()) as users, lateral (
                    select link_id from private.link_books
                    where state = 'pending' and user_id = users.user_id and run_at <= now()
                        and attempts < \(literal: Self.attempts)
                    order by run_at
                    limit 1
                    for update skip locked
                ) as due
                limit 1
                """, returning: "link_id, user_id, lease, attempts")
        guard rows.count == 1, let link = rows.text(0, 0), let user = rows.text(0, 1), let lease = rows.int(0, 2),
            let attempt = rows.int(0, 3)
        else { return nil }
        return BookJob(link: link, user: user, lease: Lease(key: link, number: lease), attempt: attempt)
    }

    /// Gives up books whose last attempt was interrupted.
    func buryInterrupted() throws(PostgresError) {
        try queue.run(
            """
            update private.link_books
            set state = 'failed', leased_until = null, requested_at = null,
                message = 'The server was stopped during every attempt'
            where state = 'running' and leased_until < now() and attempts >= \(literal: Self.attempts)
            """)
    }

    /// - Returns: false when the article has changed, or the link was deleted.
    func renew(_ job: BookJob) throws(PostgresError) -> Bool { try !queue.renew([job.lease]).isEmpty }

    /// Ends the job with the files that were made. Where the article has changed since, another job makes them again.
    func finish(_ job: BookJob, hash: String, bytes: Int, markedHash: String?) throws(PostgresError) {
        try queue.change(
            job.lease,
            set: """
                state = 'done', leased_until = null, attempts = 0, message = null, made_at = now(),
                    requested_at = null, hash = \(hash), bytes = \(bytes)::bigint, marked_hash = \(markedHash)
                """)
    }

    /// Puts the job back while pictures of the article are still to be fetched. It is due again when they are there.
    ///
    /// The pictures are looked up after the lease, not by the statement that leases: that one may see the pictures as
    /// they were before a transaction woke the book, and lease the book that was woken.
    ///
    /// - Returns: false where the book can be made.
    func awaitPictures(_ job: BookJob) throws(PostgresError) -> Bool {
        let rows = try queue.run("select private.awaits_pictures(\(job.link)::uuid)")
        guard rows.bool(0, 0) == true else { return false }
        let wait: SQL = """
            case when requested_at is null then \(LeaseStatements.interval(Self.longestWait))
                else \(LeaseStatements.interval(Self.longestWaitOfRequested)) end
            """
        try queue.change(job.lease, set: "\(Self.table.waitingAgain(after: wait)), attempts = attempts - 1")
        return true
    }

    /// Puts the job back without counting the attempt, since the server failed.
    func putOff(_ job: BookJob, _ why: String) throws(PostgresError) {
        try queue.change(
            job.lease,
            set: "\(Self.table.waitingAgain(after: Self.pause)), attempts = attempts - 1, message = \(why)")
    }

    /// The pause after a failure of the server, such as a full disk, or one that is too busy to start a process.
    private static let pause = Duration.seconds(10)
    /// When to look again for pictures whose arrival was not announced.
    private static let longestWait = Duration.seconds(300)
    /// The same for a book that somebody waits for.
    private static let longestWaitOfRequested = Duration.seconds(10)

    /// Puts the job back as if it had not been tried.
    func handBack(_ job: BookJob) throws(PostgresError) {
        try queue.change(job.lease, set: "\(Self.table.waitingAgain(after: .zero)), attempts = attempts - 1")
    }

    func retry(_ job: BookJob, after delay: Duration, _ why: String) throws(PostgresError) {
        try queue.change(job.lease, set: "\(Self.table.waitingAgain(after: delay)), message = \(why)")
    }

    /// Gives a book up. An older file stays.
    func fail(_ job: BookJob, _ why: String) throws(PostgresError) {
        try queue.change(job.lease, set: "state = 'failed', leased_until = null, requested_at = null, message = \(why)")
    }

    /// The milliseconds until a book may be made, at most `limit`.
    func millisecondsToNext(limit: Int) throws(PostgresError) -> Int {
        min(max(try queue.millisecondsToNext() ?? limit, 0), limit)
    }

    // MARK: - Files

    /// Those of the given hashes that belong to no book.
    func unknown(_ hashes: [String]) throws(PostgresError) -> [String] {
        guard !hashes.isEmpty else { return [] }
        let rows = try queue.run("select private.unknown_books(\(array: hashes))")
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    /// Books after a link, in the order of links: the link and the hashes of its files.
    func books(after link: String, limit: Int) throws(PostgresError) -> [(link: String, hashes: [String])] {
        let rows = try queue.run(
            """
            select link_id, hash, marked_hash from private.link_books
            where hash is not null and link_id > \(link)::uuid order by link_id limit \(limit)::int
            """)
        return (0..<rows.count).compactMap { row in
            rows.text(row, 0).map { ($0, [rows.text(row, 1), rows.text(row, 2)].compactMap { $0 }) }
        }
    }

    /// Has books made again whose files are lost.
    func makeAgain(_ links: [String]) throws(PostgresError) {
        guard !links.isEmpty else { return }
        try queue.run(
            """
            update private.link_books set state = 'pending', run_at = now(), attempts = 0
            where link_id = any(\(array: links)::uuid[]) and state in ('done', 'failed')
            """)
    }
}
