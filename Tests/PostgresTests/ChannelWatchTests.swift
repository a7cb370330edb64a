import Postgres
import Synchronization
import TestDatabase
import Testing
import Threads

@Suite(
    "Postgres / channel watch", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"),
    .timeLimit(.minutes(1)))
struct ChannelWatchTests {
    private let server: TestDatabase
    private let database: Database

    init() throws {
        server = try TestDatabase()
        database = Database(server.conninfo("lectern_jobs"))
    }

    /// The work of a watch, which is only counted.
    private final class Work: Sendable {
        let rounds = Mutex(0)
        let reported = Mutex(0)
        let hasEnded = Mutex(false)
        let watch: ChannelWatch
        private let changed = WakeUp()

        /// - Parameter isFailing: whether a round, numbered from one, throws.
        init(_ database: Database, _ channel: String, isFailing: @escaping @Sendable (Int) -> Bool = { _ in false }) {
            watch = ChannelWatch(database, channel: channel)
            Thread.start { [self] in
                // A sleep that no test outlasts.
                watch.run { () throws(PostgresError) in
                    let round = rounds.withLock {
                        $0 += 1
                        return $0
                    }
                    changed.all()
                    if isFailing(round) { throw .unavailable(reason: "away") }
                    return 600_000
                } report: { _ in
                    reported.withLock { $0 += 1 }
                }
                hasEnded.withLock { $0 = true }
                changed.all()
            }
        }

        func wait(until isDone: () -> Bool) {
            while !isDone() { changed.wait(milliseconds: 1_000, unless: isDone) }
        }

        func wait(rounds count: Int) { wait { rounds.withLock { $0 >= count } } }

        func stop() {
            watch.stop()
            wait { hasEnded.withLock { $0 } }
        }
    }

    private func listeningSessions() throws -> [Int] {
        var admin = try Connection(server.conninfo("lectern_bootstrap"))
        let rows = try admin.query(
            """
            select pid from pg_stat_activity
            where usename = 'lectern_jobs' and datname = current_database() and query ilike 'listen%'
            """)
        return (0..<rows.count).compactMap { rows.int($0, 0) }
    }

    private func notify(_ channel: String) throws {
        var admin = try Connection(server.conninfo("lectern_bootstrap"))
        _ = try admin.query("select pg_notify(\(channel), '')")
    }

    @Test("the work is done at the start, once listening has begun, and after each notification of its channel")
    func notifications() throws {
        let (mails, books) = (Work(database, "lectern_mails"), Work(database, "lectern_books"))
        mails.wait(rounds: 2)
        books.wait(rounds: 2)
        try notify("lectern_books")
        books.wait(rounds: 3)
        try notify("lectern_mails")
        mails.wait(rounds: 3)
        #expect(books.rounds.withLock { $0 } == 3)
        mails.stop()
        books.stop()
    }

    @Test("one session listens to all channels, and none when nobody waits any more")
    func oneSession() throws {
        let works = ["lectern_mails", "lectern_books", "lectern_exports", "lectern_exports"].map { Work(database, $0) }
        for work in works.dropLast() { work.wait(rounds: 2) }
        #expect(try listeningSessions().count == 1)
        for work in works { work.stop() }
        while try !listeningSessions().isEmpty {}
    }

    @Test("when the listening session was lost, the work is done again as soon as another one listens")
    func lostSession() throws {
        let work = Work(database, "lectern_mails")
        work.wait(rounds: 2)
        var admin = try Connection(server.conninfo("lectern_bootstrap"))
        for pid in try listeningSessions() { _ = try admin.query("select pg_terminate_backend(\(pid)::int, 60000)") }
        work.wait(rounds: 3)
        try notify("lectern_mails")
        work.wait(rounds: 4)
        #expect(work.reported.withLock { $0 } == 0)
        work.stop()
    }

    @Test("a failure of the work is reported, and the work done again")
    func failure() {
        let work = Work(Database("host=/nonexistent"), "lectern_mails") { $0 < 3 }
        work.wait(rounds: 3)
        #expect(work.reported.withLock { $0 } == 2)
        work.stop()
    }
}
