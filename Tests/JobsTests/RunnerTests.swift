import Glibc
import Postgres
import Synchronization
import TestDatabase
import Testing
import Threads

@testable import Jobs

@Suite(
    "Jobs / runner", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"),
    .timeLimit(.minutes(5)))
struct RunnerTests {
    private let database: TestDatabase

    init() throws {
        database = try TestDatabase()
        let user = try database.makeUser("ann@example.org")
        var admin = try Connection(database.conninfo("lectern_admin"))
        _ = try admin.query("insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/')")
    }

    private func options(
        prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void = { _ in }
    ) -> Runner.Options {
        var options = Runner.Options(Database(database.conninfo("lectern_jobs"), prepare: prepare))
        options.parallel = 1
        options.drain = 0
        return options
    }

    private func queue() -> JobQueue {
        JobQueue(Database(database.conninfo("lectern_jobs")), runner: "other", lease: 60)
    }

    /// Starts a runner.
    ///
    /// - Returns: a gate that opens when the runner has ended.
    private func start(_ runner: Runner) -> Gate {
        let over = Gate()
        Thread.start {
            runner.run()
            over.open()
        }
        return over
    }

    @Test("while the database is unavailable, the running job keeps its lease and its only attempt")
    func outage() throws {
        let (begun, mayEnd, ended) = (Gate(), Gate(), Gate())
        let isAway = Mutex(false)
        let refused = Gate()
        var options = options { _ throws(PostgresError) in
            guard isAway.withLock({ $0 }) else { return }
            refused.open()
            throw .unavailable(reason: "away")
        }
        // Shorter than the outage, so that only renewals keep the lease. No other runner could take it.
        options.lease = 1
        let runs = Mutex(0)
        let conninfo = database.conninfo("lectern_jobs")
        let runner = Runner(options) {
            { job in
                runs.withLock { $0 += 1 }
                begun.open()
                mayEnd.wait()
                let done = Result {
                    try Database(conninfo).transaction(as: Identity(role: "none"), [JobQueue.finish(job)]).count
                }
                #expect((try? done.get()) == 1)
                ended.open()
                return .leaseEnded
            }
        } report: { _ in
        }
        let over = start(runner)
        begun.wait()

        isAway.withLock { $0 = true }
        var server = try Connection(database.conninfo("lectern_bootstrap"))
        try server.script(
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'lectern_jobs' and datname = current_database()"
        )
        refused.wait()
        // The lease expires while it cannot be renewed.
        try wait { try server.query("select leased_until < now() from private.jobs").bool(0, 0) == true }
        isAway.withLock { $0 = false }
        try wait { try server.query("select leased_until > now() from private.jobs").bool(0, 0) == true }

        mayEnd.open()
        ended.wait()
        runner.stop()
        over.wait()
        #expect(runs.withLock { $0 } == 1)
        #expect(try server.query("select count(*) from private.jobs").int(0, 0) == 0)
    }

    @Test("there are as many threads as jobs have run at once")
    func threads() throws {
        var options = options()
        options.parallel = 4
        let made = Mutex(0)
        let begun = Mutex(0)
        let mayEnd = Gate()
        let runner = Runner(options) {
            made.withLock { $0 += 1 }
            return { _ in
                begun.withLock { $0 += 1 }
                mayEnd.wait()
                return .leaseEnded
            }
        } report: { _ in
        }
        let over = start(runner)
        try wait { begun.withLock { $0 } == 1 }
        #expect(made.withLock { $0 } == 1)

        var admin = try Connection(database.conninfo("lectern_admin"))
        _ = try admin.query(
            "insert into public.links (user_id, raw_url) select user_id, 'http://y.test/' from public.links")
        try wait { begun.withLock { $0 } == 2 }
        #expect(made.withLock { $0 } == 2)
        mayEnd.open()
        runner.stop()
        over.wait()
    }

    @Test("a job that hangs is left to another runner after its deadline")
    func hanging() throws {
        let mayEnd = Gate()
        var options = options()
        options.lease = 1
        options.deadline = 0
        let begun = Gate()
        let runner = Runner(options) {
            { _ in
                begun.open()
                mayEnd.wait()
                return .leaseEnded
            }
        } report: { _ in
        }
        let over = start(runner)
        begun.wait()
        let queue = queue()
        try wait { try queue.take(1).first?.interruptions == 1 }
        mayEnd.open()
        runner.stop()
        over.wait()
    }

    @Test("a runner with a hanging thread stops, so that its process is restarted")
    func watchdog() throws {
        let mayEnd = Gate()
        var options = options()
        options.lease = 1
        options.deadline = 0
        let hanging = Mutex<[String]>([])
        let over = start(
            Runner(options) {
                { _ in
                    mayEnd.wait()
                    return .leaseEnded
                }
            } report: { event in
                if case .hanging(let job) = event { hanging.withLock { $0.append(job.linkID) } }
            })
        over.wait()
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try hanging.withLock { $0 } == [#require(try admin.query("select id from public.links").text(0, 0))])
        // It counts, so that a job that always hangs is given up.
        #expect(try queue().take(1).map(\.interruptions) == [1])
        mayEnd.open()
    }

    @Test("a job that was handed back waits in the queue and does not count as an attempt")
    func handedBack() throws {
        let runner = Runner(options()) {
            { _ in .handedBack(after: .seconds(100), JobFailure(reason: "database", message: "No space left.")) }
        } report: { _ in
        }
        let over = start(runner)
        var admin = try Connection(database.conninfo("lectern_admin"))
        try wait { try admin.query("select reason = 'database' from private.jobs").bool(0, 0) == true }
        runner.stop()
        over.wait()
        #expect(try queue().take(1).isEmpty)
        try admin.script("update private.jobs set leased_until = now() - interval '1 second'")
        let job = try #require(try queue().take(1).first)
        #expect(job.attempt == 1 && job.interruptions == 0)
    }

    /// Waits until the condition holds, or until the suite's time limit.
    private func wait(until holds: () throws -> Bool) throws {
        while try !holds() { usleep(10_000) }
    }
}

/// Closed until it is opened, once.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    private let wakeUp = WakeUp()

    func open() {
        isOpen.withLock { $0 = true }
        wakeUp.all()
    }

    func wait() {
        while !isOpen.withLock({ $0 }) { wakeUp.wait(milliseconds: 1_000) { isOpen.withLock { $0 } } }
    }
}
