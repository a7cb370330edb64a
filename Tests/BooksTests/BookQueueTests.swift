import Glibc
import Jobs
import Postgres
import Synchronization
import TestDatabase
import Testing
import Threads

@testable import Books

/// What a statement on another thread returned after it had to wait.
private final class Late: Sendable {
    let result = Mutex<Result<Void, any Error>?>(nil)
    var isOver: Bool { result.withLock { $0 != nil } }
}

@Suite("Books / queue", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct BookQueueTests {
    private let database: TestDatabase
    private let ann: String
    private let ben: String

    init() throws {
        database = try TestDatabase()
        ann = try database.makeUser("ann@example.org")
        ben = try database.makeUser("ben@example.org")
    }

    private var queue: BookQueue { BookQueue(Database(database.conninfo("lectern_jobs")), lease: 600) }

    @discardableResult
    private func admin(_ statement: SQL) throws -> Rows {
        var connection = try Connection(database.conninfo("lectern_admin"))
        return try connection.query(statement)
    }

    /// Queues the books of new links, and returns the ids of these links.
    private func save(_ count: Int, of user: String) throws -> [String] {
        let rows = try admin(
            """
            with saved as (
                insert into public.links (user_id, raw_url)
                select \(user)::uuid, 'http://x.test/' || n from generate_series(1, \(count)::int) n
                returning id, user_id
            )
            insert into private.link_books (link_id, user_id) select id, user_id from saved returning link_id
            """)
        return (0..<rows.count).compactMap { rows.text($0, 0) }
    }

    private func request(_ links: [String], as user: String) throws {
        let client = Identity(role: "authenticated", claims: #"{"sub":"\#(user)","role":"authenticated"}"#)
        let authenticator = Database(database.conninfo("authenticator"))
        for link in links {
            _ = try authenticator.transaction(as: client, ["select rest.request_book(\(link)::uuid)"])
        }
    }

    @Test("requested books are made first, in the order of the requests")
    func requested() throws {
        let books = try save(30, of: ann)
        _ = try save(30, of: ben)
        try request([books[20], books[10]], as: ann)
        let first = try (0..<2).map { _ in try queue.take(shareOfRequested: 1)?.link }
        #expect(first == [books[20], books[10]])
        #expect(try queue.take(shareOfRequested: 1) != nil)
    }

    @Test("other books have their turns while books are requested again and again")
    func others() throws {
        let books = try save(3, of: ann)
        _ = try save(1, of: ben)
        try request(books, as: ann)
        let users = try (0..<4).map { _ in try queue.take(shareOfRequested: 0)?.user }
        #expect(users.contains(ben))
    }

    @Test("books that wait for pictures do not count among the three")
    func waiting() throws {
        let books = try save(4, of: ann)
        try request(Array(books[..<3]), as: ann)
        try admin("update private.link_books set run_at = now() + interval '5 minutes' where requested_at is not null")
        try request([books[3]], as: ann)
        #expect(try admin("select from private.link_books where requested_at is not null").count == 4)
    }

    @Test("a request does not wait for a transaction that is changing the book")
    func locked() throws {
        let book = try save(1, of: ann)[0]
        var changing = try Connection(database.conninfo("lectern_admin"))
        try changing.script("begin; select from private.link_books for update")
        try request([book], as: ann)
        try changing.script("commit")
        #expect(try admin("select from private.link_books where requested_at is null").count == 1)
    }

    @Test("three books of a user come first at a time, and nobody requests those of another")
    func limited() throws {
        let books = try save(5, of: ann)
        try request(books, as: ben)
        try request(books, as: ann)
        let rows = try admin(
            "select link_id from private.link_books where requested_at is not null order by requested_at")
        #expect((0..<rows.count).map { rows.text($0, 0) } == Array(books[..<3]))
    }

    @Test("the changes of one transaction queue a book once")
    func queuedOnce() throws {
        let book = try save(1, of: ann)[0]
        for change in 1...2 {
            try admin("select private.queue_book(\(book)::uuid, interval '0') from generate_series(1, 3)")
            #expect(try admin("select lease from private.link_books").int(0, 0) == change)
        }
    }

    @Test("a book is woken when the search for its pictures ends while it is being leased")
    func wokenWhileLeased() throws {
        let book = try save(1, of: ann)[0]
        try admin("insert into private.picture_listings (link_id, user_id) values (\(book)::uuid, \(ann)::uuid)")
        var leasing = try Connection(database.conninfo("lectern_admin"))
        try leasing.script("begin; update private.link_books set state = 'running', lease = lease + 1, attempts = 1")
        let late = Late()
        // A thread of its own: waiting tests may occupy the cooperative pool.
        Thread.start { [self] in
            let result = Result { _ = try admin("update private.picture_listings set state = 'done'") }
            late.result.withLock { $0 = result }
        }
        let waiting: SQL =
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        while try !late.isOver && admin(waiting).count == 0 { usleep(1_000) }
        try leasing.script("commit")
        while !late.isOver { usleep(1_000) }
        try late.result.withLock { $0 }?.get()
        let next = try #require(try queue.take())
        #expect(next.link == book && next.lease.number > 1)
        #expect(try !queue.awaitPictures(next))
    }

    @Test("a leased book waits for its pictures only as long as they are still searched for")
    func picturesAfterLease() throws {
        let book = try save(1, of: ann)[0]
        try admin("insert into private.picture_listings (link_id, user_id) values (\(book)::uuid, \(ann)::uuid)")
        let job = try #require(try queue.take())
        // As the lease leaves it that sees the book after it was woken, but the search as it was before.
        try admin("alter table private.picture_listings disable trigger wake_book")
        try admin("update private.picture_listings set state = 'done'")
        #expect(try !queue.awaitPictures(job))
        try admin("update private.picture_listings set state = 'pending'")
        #expect(try queue.awaitPictures(job))
        #expect(try queue.take() == nil)
    }

    @Test("a book that waits for pictures is looked at again when it is requested, and then every ten seconds")
    func requestedWhileWaiting() throws {
        let book = try save(1, of: ann)[0]
        try admin("insert into private.picture_listings (link_id, user_id) values (\(book)::uuid, \(ann)::uuid)")
        let wait: SQL = "select round(extract(epoch from run_at - now()) / 10) * 10 from private.link_books"
        #expect(try queue.awaitPictures(#require(try queue.take())))
        #expect(try admin(wait).int(0, 0) == 300)
        try request([book], as: ann)
        #expect(try queue.awaitPictures(#require(try queue.take())))
        #expect(try admin(wait).int(0, 0) == 10)
    }

    @Test("a request does not shorten the pause after a failure")
    func requestedAfterFailure() throws {
        let book = try save(1, of: ann)[0]
        try queue.retry(#require(try queue.take()), after: .seconds(60), "The disk was full.")
        try request([book], as: ann)
        #expect(try queue.take() == nil)
    }

    @Test("a book that was given up is made again when it is requested ten minutes later")
    func requestedAfterLastFailure() throws {
        let book = try save(1, of: ann)[0]
        try queue.fail(#require(try queue.take()), "Its pictures crashed the reader.")
        try request([book], as: ann)
        #expect(try queue.take() == nil)
        try admin("update private.link_books set run_at = now() - interval '11 minutes'")
        try request([book], as: ben)
        #expect(try queue.take() == nil)
        try request([book], as: ann)
        #expect(try queue.take()?.attempt == 1)
    }

    @Test("the threads that make books and fetch pictures learn of a request at once, however long they want to sleep")
    func requestedWhileAsleep() throws {
        let books = try save(2, of: ann)
        try admin("update private.link_books set state = 'failed', run_at = now() - interval '11 minutes'")
        try admin("insert into private.picture_listings (link_id, user_id) values (\(books[1])::uuid, \(ann)::uuid)")
        var worker = try Connection(database.conninfo("lectern_jobs"))
        for channel: SQL in ["listen lectern_books", "listen lectern_pictures"] { _ = try worker.query(channel) }
        try request([books[0]], as: ann)
        #expect(try worker.notifications(timeout: 10_000).count == 1)
        try request([books[1]], as: ann)
        #expect(try worker.notifications(timeout: 10_000).count == 2)
    }

    @Test("a made book is queued when the first of its missing pictures is there")
    func madeBeforePictures() throws {
        let book = try save(1, of: ann)[0]
        let job = try #require(try queue.take())
        try queue.finish(job, hash: String(repeating: "a", count: 64), bytes: 1, markedHash: nil)
        try admin(
            """
            insert into public.link_pictures (link_id, user_id, kind, source)
            select \(book)::uuid, \(ann)::uuid, 'article', 'http://x.test/' || n from generate_series(1, 2) n
            """)
        try admin("update public.link_pictures set state = 'failed' where source like '%1'")
        #expect(try queue.awaitPictures(#require(try queue.take())))
    }

    @Test("a book whose pictures are listed has them fetched before others of its user")
    func pictures() throws {
        let books = try save(2, of: ann)
        for book in books {
            try admin(
                """
                insert into public.link_pictures (link_id, user_id, kind, source)
                values (\(book)::uuid, \(ann)::uuid, 'article', 'http://x.test/picture')
                """)
        }
        try request([books[1]], as: ann)
        let rows = try admin(
            """
            select link_id from private.picture_jobs j join public.link_pictures p on p.id = j.picture_id
            where j.run_at = 'epoch'
            """)
        #expect((0..<rows.count).map { rows.text($0, 0) } == [books[1]])
    }

    @Test("a book that was made is not requested again by a change of its article")
    func made() throws {
        let book = try save(1, of: ann)[0]
        try request([book], as: ann)
        let job = try #require(try queue.take())
        try queue.finish(job, hash: String(repeating: "a", count: 64), bytes: 1, markedHash: nil)
        try admin("select private.queue_book(\(book)::uuid, interval '0')")
        try request([book], as: ann)
        #expect(try admin("select from private.link_books where requested_at is null").count == 1)
    }
}
