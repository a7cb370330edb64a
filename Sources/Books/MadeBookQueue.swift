import Jobs
import Postgres

/// The books of several articles, `private.made_books`: what is to be made, and what is there.
struct MadeBookQueue {
    private let queue: LeasedQueue

    private static let table: LeaseStatements = {
        var table = LeaseStatements("made_books", key: "id", keyType: "uuid")
        table.condition = "attempts < \(literal: BookQueue.attempts)"
        table.onLease = "attempts = attempts + 1"
        return table
    }()

    /// - Parameter lease: seconds a lease lasts without renewal.
    init(_ database: Database, lease: Int) {
        queue = LeasedQueue(Self.table, database, seconds: lease, applicationName: "lectern books")
    }

    /// Leases the book whose turn it is. Users who got few books within an hour come first.
    func take() throws(PostgresError) -> MadeBookJob? {
        let rows = try queue.lease(
            from: """
                select id from private.made_books b
                where state = 'pending' and run_at <= now() and attempts < \(literal: BookQueue.attempts)
                order by (
                    select count(*) from private.made_books other
                    where other.user_id = b.user_id and other.made_at > now() - interval '1 hour'), run_at
                limit 1
                for update skip locked
                """,
            returning: """
                id, user_id, title, array_to_string(link_ids, ' '), lease, attempts,
                private.made_book_awaits_pictures(link_ids, created_at)
                """)
        guard rows.count == 1, let book = rows.text(0, 0), let user = rows.text(0, 1), let title = rows.text(0, 2),
            let links = rows.text(0, 3), let lease = rows.int(0, 4), let attempt = rows.int(0, 5),
            let awaitsPictures = rows.bool(0, 6)
        else { return nil }
        return MadeBookJob(
            book: book, user: user, title: title, links: links.split(separator: " ").map(String.init),
            lease: Lease(key: book, number: lease), attempt: attempt, awaitsPictures: awaitsPictures)
    }

    /// Gives up books whose last attempt was interrupted.
    func buryInterrupted() throws(PostgresError) {
        try queue.run(
            """
            update private.made_books
            set state = 'failed', leased_until = null, message = 'The server was stopped during every attempt',
                reason = \(Self.serverFailed)
            where state = 'running' and leased_until < now() and attempts >= \(literal: BookQueue.attempts)
            """)
    }

    /// - Returns: false when the book was deleted.
    func renew(_ job: MadeBookJob) throws(PostgresError) -> Bool { try !queue.renew([job.lease]).isEmpty }

    /// Ends the job with the files that were made.
    func finish(
        _ job: MadeBookJob, articles: Int, hash: String, bytes: Int, markedHash: String?
    ) throws(PostgresError) {
        try queue.change(
            job.lease,
            set: """
                state = 'done', leased_until = null, attempts = 0, message = null, reason = null, made_at = now(),
                    articles = \(articles)::int, hash = \(hash), bytes = \(bytes)::bigint, marked_hash = \(markedHash)
                """)
    }

    /// Puts the job back without counting the attempt.
    func putOff(_ job: MadeBookJob, after delay: Duration) throws(PostgresError) {
        try queue.change(job.lease, set: "\(Self.table.waitingAgain(after: delay)), attempts = attempts - 1")
    }

    func retry(_ job: MadeBookJob, after delay: Duration, _ why: String) throws(PostgresError) {
        try queue.change(job.lease, set: "\(Self.table.waitingAgain(after: delay)), message = \(why)")
    }

    /// Gives a book up.
    ///
    /// - Parameters:
    ///   - why: for the admin.
    ///   - reason: for the user.
    func fail(_ job: MadeBookJob, _ why: String, reason: String = serverFailed) throws(PostgresError) {
        try queue.change(
            job.lease, set: "state = 'failed', leased_until = null, message = \(why), reason = \(reason)")
    }

    private static let serverFailed = "The server failed to make the book. Make it again later."

    /// The milliseconds until a book may be made, at most `limit`.
    func millisecondsToNext(limit: Int) throws(PostgresError) -> Int {
        min(max(try queue.millisecondsToNext() ?? limit, 0), limit)
    }

    // MARK: - Files

    /// Finished books after one, in the order of their ids: the id and the hashes of the files.
    func books(after book: String, limit: Int) throws(PostgresError) -> [(book: String, hashes: [String])] {
        let rows = try queue.run(
            """
            select id, hash, marked_hash from private.made_books
            where hash is not null and id > \(book)::uuid order by id limit \(limit)::int
            """)
        return (0..<rows.count).compactMap { row in
            rows.text(row, 0).map { ($0, [rows.text(row, 1), rows.text(row, 2)].compactMap { $0 }) }
        }
    }

    /// Has books made again whose files are lost.
    func makeAgain(_ books: [String]) throws(PostgresError) {
        guard !books.isEmpty else { return }
        try queue.run(
            """
            update private.made_books set state = 'pending', run_at = now(), attempts = 0, hash = null, marked_hash = null
            where id = any(\(array: books)::uuid[]) and state = 'done'
            """)
    }
}
