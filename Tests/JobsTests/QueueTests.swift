import Jobs
import Postgres
import TestDatabase
import Testing

@Suite("Jobs / queue", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct QueueTests {
    private let database: TestDatabase
    private let user: String

    init() throws {
        database = try TestDatabase()
        user = try database.makeUser("ann@example.org")
    }

    private func queue(_ runner: String) -> Queue {
        Queue(Database(database.conninfo("lectern_jobs")), runner: runner, lease: 60)
    }

    private func admin<Result>(_ work: (inout Connection) throws -> Result) throws -> Result {
        var connection = try Connection(database.conninfo("lectern_admin"))
        return try work(&connection)
    }

    private func save(_ count: Int) throws {
        try admin {
            _ = try $0.query(
                "insert into public.links (user_id, raw_url) select \(user)::uuid, 'http://x.test/' || n from generate_series(1, \(count)::int) n")
        }
    }

    private func state(of job: Job) throws -> [String?] {
        try admin {
            let rows = try $0.query("select state, reason, message from private.jobs where id = \(job.id)::bigint")
            return rows.count == 0 ? [] : [rows.text(0, 0), rows.text(0, 1), rows.text(0, 2)]
        }
    }

    private static let failure = JobFailure(reason: "timeout", message: "The site took too long.", isRetryable: true)

    @Test("saving a link brings its job, whoever writes the row")
    func enqueued() throws {
        try save(3)
        #expect(try queue("a").take(10).count == 3)
    }

    @Test("two runners never hold the same job")
    func exclusive() async throws {
        try save(40)
        let taken = try await withThrowingTaskGroup(of: [Int].self) { group in
            for runner in 0..<4 {
                group.addTask {
                    let queue = queue("runner \(runner)")
                    return try (0..<10).flatMap { _ in try queue.take(2).map(\.id) }
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(taken.count == 40)
        #expect(Set(taken).count == 40)
    }

    @Test("a job whose runner died is leased again, and counts as another attempt")
    func leaseEnds() throws {
        try save(1)
        let first = try #require(try queue("dead").take(1).first)
        #expect(try queue("other").take(1).isEmpty)
        try admin { try $0.script("update private.jobs set leased_until = now() - interval '1 second'") }
        let again = try #require(try queue("other").take(1).first)
        #expect(again.id == first.id && again.attempt == 2)
    }

    @Test("a runner that lost its lease cannot end the job any more")
    func lostLease() throws {
        try save(1)
        let job = try #require(try queue("slow").take(1).first)
        try admin { try $0.script("update private.jobs set leased_until = now() - interval '1 second'") }
        _ = try queue("fast").take(1)
        let slow = Database(database.conninfo("lectern_jobs"))
        #expect(throws: PostgresError.self) {
            _ = try slow.transaction(
                as: Identity(role: "none"), ["select private.finish_job(\(job.id)::bigint, 'slow')"])
        }
        #expect(try state(of: job).first == "running")
    }

    @Test("a retry waits, keeps its reason, and comes back")
    func retry() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try queue.retry(job, after: .seconds(100), Self.failure)
        #expect(try state(of: job) == ["pending", "timeout", "The site took too long."])
        #expect(try queue.take(1).isEmpty)
        try admin { try $0.script("update private.jobs set run_at = now()") }
        #expect(try queue.take(1).first?.attempt == 2)
    }

    @Test("a buried job stays with its reason and is not taken again")
    func bury() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try queue.bury(job, Self.failure)
        #expect(try state(of: job) == ["buried", "timeout", "The site took too long."])
        #expect(try queue.take(1).isEmpty)
    }

    @Test("a job handed back is nobody's attempt")
    func release() throws {
        try save(1)
        let job = try #require(try queue("stopping").take(1).first)
        try queue("stopping").release([job.id])
        #expect(try queue("next").take(1).first?.attempt == 1)
    }

    @Test("a link that is deleted takes its job along")
    func deleted() throws {
        try save(1)
        try admin { try $0.script("delete from public.links") }
        #expect(try queue("a").take(1).isEmpty)
    }

    @Test("asking for another try while one is running brings exactly one more job")
    func again() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try queue.bury(job, Self.failure)
        try admin { try $0.script("update public.links set state = 'failed'") }
        try admin { try $0.script("update public.links set state = 'pending'; update public.links set state = 'pending'") }
        #expect(try queue.take(10).count == 1)
    }

    @Test("with nothing to do the sleep is as long as it may be")
    func nothingDue() throws {
        #expect(try queue("a").millisecondsToNext(most: 5_000) == 5_000)
    }

    @Test("the sleep ends when the next job is due")
    func nextDue() throws {
        try save(1)
        let queue = queue("a")
        #expect(try queue.millisecondsToNext(most: 5_000) == 0)
        let job = try #require(try queue.take(1).first)
        try queue.retry(job, after: .seconds(2), Self.failure)
        #expect((1...2_000).contains(try queue.millisecondsToNext(most: 5_000)))
    }
}
