import Glibc
import Jobs
import Postgres
import Synchronization
import TestDatabase
import Testing
import Threads

/// The jobs that a runner got after it had to wait.
private final class Late: Sendable {
    let taken = Mutex<Result<[Job], PostgresError>?>(nil)
    var isOver: Bool { taken.withLock { $0 != nil } }
}

@Suite("Jobs / queue", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct JobQueueTests {
    private let database: TestDatabase
    private let user: String

    init() throws {
        database = try TestDatabase()
        user = try database.makeUser("ann@example.org")
    }

    private func queue(_ runner: String) -> JobQueue {
        JobQueue(Database(database.conninfo("lectern_jobs")), runner: runner, lease: 600)
    }

    private func admin<Result>(_ work: (inout Connection) throws -> Result) throws -> Result {
        var connection = try Connection(database.conninfo("lectern_admin"))
        return try work(&connection)
    }

    private func save(_ count: Int, from first: Int = 1, of other: String? = nil) throws {
        try admin {
            _ = try $0.query(
                "insert into public.links (user_id, raw_url) select \(other ?? user)::uuid, 'http://x.test/' || n from generate_series(\(first)::int, \(count)::int) n"
            )
        }
    }

    private func state(of job: Job) throws -> [String?] {
        try admin {
            let rows = try $0.query("select state, reason, message from private.jobs where id = \(job.id)::bigint")
            return rows.count == 0 ? [] : [rows.text(0, 0), rows.text(0, 1), rows.text(0, 2)]
        }
    }

    /// Runs a statement as the login role of the jobs.
    private func end(_ statement: SQL) throws(PostgresError) {
        _ = try Database(database.conninfo("lectern_jobs")).transaction(as: Identity(role: "none"), [statement])
    }

    /// Lets all leases expire.
    private func runOut() throws {
        try admin { try $0.script("update private.jobs set leased_until = now() - interval '1 second'") }
    }

    fileprivate static let failure = JobFailure(reason: "timeout", message: "The site took too long.")

    @Test("every saved link gets a job, whoever inserts the row")
    func enqueued() throws {
        try save(3)
        #expect(try queue("a").take(10).count == 3)
    }

    @Test("two runners never lease the same job")
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

    private func enqueue(_ kind: String, at time: String = "now()") throws {
        try admin {
            try $0.script(
                "insert into private.jobs (kind, user_id, link_id, run_at) select '\(kind)', user_id, id, \(time) from public.links"
            )
        }
    }

    @Test("the jobs of a link run one at a time, the save first", arguments: [1, 10])
    func oneOfALink(limit: Int) throws {
        try save(1)
        for kind in ["place", "extract"] { try enqueue(kind, at: "now() - interval '1 hour'") }
        let queue = queue("a")
        var kinds: [Job.Kind] = []
        while let job = try queue.take(limit).first {
            #expect(try self.queue("b").take(limit).isEmpty)
            kinds.append(job.kind)
            try end(JobQueue.finish(job))
        }
        #expect(kinds == [.save, .place, .extract])
    }

    @Test("a new job of a link waits for the running one, also after the running one's lease has expired")
    func waitsForTheOther() throws {
        try save(1)
        let first = try #require(try queue("slow").take(1).first)
        try enqueue("save")
        #expect(try queue("other").take(10).isEmpty)
        try runOut()
        let again = try queue("other").take(10)
        #expect(
            again.map(\.id) == [first.id],
            "so that the slow one has lost its lease before another job of the link is taken")
        expectLost(JobQueue.finish(first))
        try end(JobQueue.finish(again[0]))
        #expect(try queue("other").take(10).map(\.attempt) == [1])
    }

    @Test("a failed job that was requested again becomes one job, which is leased at once")
    func retryBesideAnother() throws {
        try save(1)
        let first = try #require(try queue("a").take(1).first)
        try enqueue("save")
        try end(JobQueue.retry(first, after: .seconds(100), Self.failure))
        let next = try queue("a").take(10)
        #expect(next.count == 1 && next.first?.id != first.id)
    }

    @Test("a runner that loses the race for a link leases nothing")
    func atTheSameMoment() throws {
        try save(1)
        var other = try Connection(database.conninfo("lectern_admin"))
        try other.script(
            "begin; insert into private.jobs (kind, user_id, link_id, state) select 'place', user_id, id, 'running' from public.links"
        )
        let late = Late()
        // A thread of its own: waiting tests may occupy the cooperative pool.
        Thread.start { [self] in
            let taken = Result { () throws(PostgresError) in try queue("late").take(10) }
            late.taken.withLock { $0 = taken }
        }
        let waiting: SQL =
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        while try !late.isOver && admin({ try $0.query(waiting).count }) == 0 { usleep(1_000) }
        try other.script("commit")
        while !late.isOver { usleep(1_000) }
        #expect(try late.taken.withLock { $0 }?.get().isEmpty == true)
        try other.script("delete from private.jobs where kind = 'place'")
        #expect(try queue("late").take(10).count == 1)
    }

    @Test("saves come before other jobs, interrupted jobs before waiting ones, and the oldest first")
    func order() throws {
        try save(4)
        try admin {
            try $0.script(
                """
                update private.jobs set run_at = now() - interval '1 minute' * substr(raw_url, 15)::int,
                    kind = case when raw_url ~ '[12]$' then 'place' else 'save' end
                    from public.links where links.id = link_id
                """)
        }
        func taken(_ count: Int) throws -> [String] {
            let links = try queue("a").take(count).map(\.linkID)
            return try admin { admin in
                try links.map {
                    try admin.query("select substr(raw_url, 15) from public.links where id = \($0)::uuid").text(0, 0)
                        ?? ""
                }.sorted()
            }
        }
        #expect(try [1, 1, 1, 1, 1].map(taken) == [["4"], ["3"], ["2"], ["1"], []])
        try save(5, from: 5)
        try admin {
            try $0.script(
                "update private.jobs set leased_until = now() - interval '1 minute' * substr(raw_url, 15)::int from public.links where links.id = link_id and jobs.state = 'running'"
            )
        }
        #expect(try [1, 1, 1, 1, 1].map(taken) == [["4"], ["3"], ["2"], ["1"], ["5"]])
    }

    @Test("the user with the fewest running jobs is next, however many another user has saved before")
    func turns() throws {
        let others = try ["ben@example.org", "cid@example.org"].map(database.makeUser)
        for number in 1...30 { try save(number, from: number) }
        #expect(try queue("a").take(3).count == 3)
        for other in others { try save(2, of: other) }
        #expect(try Set(queue("a").take(2).map(\.userID)) == Set(others))
        #expect(try Set(queue("a").take(2).map(\.userID)) == Set(others))
        #expect(try queue("a").take(5).map(\.userID) == Array(repeating: user, count: 5))
    }

    @Test("a single save comes before bulk saves, and those before jobs that nobody waits for")
    func priorities() throws {
        try save(21)
        try admin {
            try $0.script(
                "insert into private.jobs (kind, user_id, link_id, run_at) select 'place', user_id, id, now() - interval '1 hour' from public.links where raw_url ~ '/[12]$'; delete from private.jobs where kind = 'save' and link_id in (select link_id from private.jobs where kind = 'place')"
            )
        }
        try save(22, from: 22)
        func priorities(_ count: Int) throws -> [Int] {
            let jobs = try queue("a").take(count)
            return try admin { admin in
                try jobs.map {
                    try admin.query("select priority from private.jobs where id = \($0.id)::bigint").int(0, 0) ?? -1
                }.sorted()
            }
        }
        #expect(try priorities(1) == [0])
        #expect(try priorities(1) == [1])
        #expect(try priorities(100) == Array(repeating: 1, count: 18) + [2, 2])
    }

    @Test("highlights are placed after half a minute, however many bulk saves of others are due")
    func waiting() throws {
        try save(1)
        try admin {
            try $0.script(
                """
                delete from private.jobs;
                insert into private.jobs (kind, user_id, link_id) select 'place', user_id, id from public.links
                """)
        }
        try save(30, of: database.makeUser("ben@example.org"))
        #expect(try queue("a").take(2).allSatisfy { $0.userID != user })
        try admin {
            try $0.script("update private.jobs set run_at = run_at - interval '1 minute' where kind = 'place'")
        }
        #expect(try queue("a").take(1).map(\.userID) == [user])
    }

    @Test("twenty-one links at once are a bulk save, and so is an imported link; a link that its user retries is not")
    func bulk() throws {
        func priorities() throws -> [Int] {
            try admin {
                let rows = try $0.query("select distinct priority from private.jobs order by 1")
                return (0..<rows.count).compactMap { rows.int($0, 0) }
            }
        }
        try save(20)
        #expect(try priorities() == [0])
        try admin { try $0.script("delete from public.links") }
        try save(21)
        #expect(try priorities() == [1])
        try admin { try $0.script("update public.links set state = 'failed'") }
        let client = Identity(role: "authenticated", claims: #"{"sub":"\#(user)","role":"authenticated"}"#)
        _ = try Database(database.conninfo("authenticator")).transaction(
            as: client, ["update public.links set state = 'pending'"])
        #expect(try priorities() == [0])
        try admin {
            try $0.script("delete from public.links")
            try $0.script(
                "set request.intent = 'import'; insert into public.links (user_id, raw_url) values ('\(user)', 'http://x.test/brought')"
            )
        }
        #expect(try priorities() == [1])
    }

    @Test("no user occupies all threads: some stay free for others, and half of them during a bulk save")
    func shares() throws {
        let limits = UserJobLimits(of: 16)
        try save(40)
        #expect(try queue("a").take(16, limits: limits).count == 8)
        #expect(try queue("a").take(8, limits: limits).isEmpty)
        #expect(try queue("a").next(limit: 5_000) == .held)
        for number in 41...60 { try save(number, from: number) }
        #expect(try queue("a").take(16, limits: limits).count == 6)
        #expect(try queue("a").take(16, limits: limits).isEmpty)
        let other = try database.makeUser("ben@example.org")
        try save(3, of: other)
        #expect(try queue("a").take(2, limits: limits).map(\.userID) == [other, other])
    }

    @Test("each user may use one thread at least", arguments: 1...4)
    func few(places: Int) throws {
        try save(30)
        #expect(try queue("a").take(places, limits: UserJobLimits(of: places)).count == max(1, places / 2))
    }

    @Test("a job whose runner died is leased again, as an interruption and not as an attempt at the page")
    func leaseEnds() throws {
        try save(1)
        let first = try #require(try queue("dead").take(1).first)
        #expect(try queue("other").take(1).isEmpty)
        try runOut()
        let again = try #require(try queue("other").take(1).first)
        #expect(again.id == first.id && again.attempt == 1 && again.interruptions == 1)
    }

    @Test("an interrupted job gets a longer lease, so that jobs whose process died together do not come back together")
    func suspect() throws {
        try save(1)
        _ = try queue("a").take(1)
        try admin { try $0.script("update private.jobs set interruptions = 1000000") }
        try runOut()
        let job = try #require(try queue("a").take(1).first)
        func left() throws -> Int? {
            try admin {
                try $0.query(
                    "select (leased_until > now() + interval '601 seconds')::int from private.jobs where id = \(job.id)::bigint"
                ).int(0, 0)
            }
        }
        #expect(try left() == 1)
        _ = try queue("a").renew([job])
        #expect(try left() == 1, "a renewal shortens no lease")
    }

    /// The endings that a runner may try with a lost lease.
    enum Ending: CaseIterable {
        case finish, retry, bury

        func statement(_ job: Job) -> SQL {
            switch self {
            case .finish: JobQueue.finish(job)
            case .retry: JobQueue.retry(job, after: .seconds(1), JobQueueTests.failure)
            case .bury: JobQueue.bury(job, JobQueueTests.failure)
            }
        }
    }

    private func expectLost(_ statement: SQL) {
        let error = #expect(throws: PostgresError.self) { try end(statement) }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.sqlState == JobQueue.lostLease)
    }

    @Test("a runner that lost its lease can neither end, retry nor bury the job any more", arguments: Ending.allCases)
    func lostLease(ending: Ending) throws {
        try save(1)
        let job = try #require(try queue("slow").take(1).first)
        try runOut()
        _ = try queue("fast").take(1)
        expectLost(ending.statement(job))
        #expect(try state(of: job) == ["running", nil, nil])
    }

    @Test("a runner that took a job again cannot end it with its old lease", arguments: Ending.allCases)
    func oldLease(ending: Ending) throws {
        try save(1)
        let old = try #require(try queue("same").take(1).first)
        try runOut()
        let new = try #require(try queue("same").take(1).first)
        expectLost(ending.statement(old))
        #expect(try state(of: old) == ["running", nil, nil])
        try end(ending.statement(new))
    }

    @Test("a runner that handed a job back cannot end it once it was leased again", arguments: Ending.allCases)
    func handedBackLease(ending: Ending) throws {
        try save(1)
        let old = try #require(try queue("same").take(1).first)
        try queue("same").handBack([old])
        _ = try queue("same").take(1)
        expectLost(ending.statement(old))
    }

    @Test("a job ends for its own link only", arguments: Ending.allCases)
    func otherLink(ending: Ending) throws {
        try save(2)
        let jobs = try queue("a").take(2)
        var mixed = jobs[0]
        mixed.linkID = jobs[1].linkID
        expectLost(ending.statement(mixed))
    }

    @Test("a renewal keeps held leases and returns which ones are held")
    func renewal() throws {
        try save(2)
        let queue = queue("a")
        let jobs = try queue.take(2)
        try runOut()
        #expect(try queue.renew(jobs) == Set(jobs), "an expired lease that no other process took is renewed")
        #expect(try self.queue("b").take(2).isEmpty)
        try runOut()
        let taken = try #require(try self.queue("b").take(1).first)
        #expect(try queue.renew(jobs) == Set(jobs.filter { $0.id != taken.id }))
    }

    @Test("a retry waits, keeps its reason, and comes back as another attempt")
    func retry() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try end(JobQueue.retry(job, after: .seconds(100), Self.failure))
        #expect(try state(of: job) == ["pending", "timeout", "The site took too long."])
        #expect(try queue.take(1).isEmpty)
        try admin { try $0.script("update private.jobs set run_at = now()") }
        #expect(try queue.take(1).first?.attempt == 2)
    }

    @Test("a reported failure ends a row of interruptions")
    func interruptionsEnd() throws {
        try save(1)
        _ = try queue("dead").take(1)
        try runOut()
        let job = try #require(try queue("a").take(1).first)
        try end(JobQueue.retry(job, after: .zero, Self.failure))
        #expect(try queue("a").take(1).first?.interruptions == 0)
    }

    @Test("a buried job stays with its reason and is not leased again")
    func bury() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try end(JobQueue.bury(job, Self.failure))
        #expect(try state(of: job) == ["buried", "timeout", "The site took too long."])
        #expect(try queue.take(1).isEmpty)
    }

    @Test("a job that was handed back counts neither as an attempt nor as an interruption")
    func handedBack() throws {
        try save(1)
        let job = try #require(try queue("stopping").take(1).first)
        try queue("stopping").handBack([job])
        let next = try #require(try queue("next").take(1).first)
        #expect(next.attempt == 1 && next.interruptions == 0)
    }

    @Test("a job handed back because of a server failure waits, with the reason for the admin")
    func handedBackForLater() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try queue.handBack([job], after: .seconds(100), JobFailure(reason: "database", message: "No space left."))
        #expect(try state(of: job) == ["running", "database", "No space left."])
        #expect(try queue.take(1).isEmpty)
        try runOut()
        let next = try #require(try queue.take(1).first)
        #expect(next.attempt == 1 && next.interruptions == 0)
    }

    @Test("deleting a link deletes its job")
    func deleted() throws {
        try save(1)
        try admin { try $0.script("delete from public.links") }
        #expect(try queue("a").take(1).isEmpty)
    }

    @Test("repeated requests for a retry create one job, and the buried one is deleted")
    func again() throws {
        try save(1)
        let queue = queue("a")
        for _ in 0..<3 {
            let job = try #require(try queue.take(1).first)
            try end(JobQueue.bury(job, Self.failure))
            try admin { try $0.script("update public.links set state = 'failed'") }
            try admin {
                try $0.script("update public.links set state = 'pending'; update public.links set state = 'pending'")
            }
            #expect(try admin { try $0.query("select count(*) from private.jobs").int(0, 0) } == 1)
        }
        #expect(try queue.take(10).count == 1)
    }

    @Test("without jobs the sleep has its longest duration")
    func nothingDue() throws {
        #expect(try queue("a").next(limit: 5_000) == .due(milliseconds: 5_000))
    }

    @Test("a job that waits for another job of its link is held until that one ends")
    func behindAnother() throws {
        try save(1)
        _ = try queue("a").take(1)
        try enqueue("save")
        #expect(try queue("a").next(limit: 5_000) == .held)
    }

    @Test("the sleep ends when the next job is due")
    func nextDue() throws {
        try save(1)
        let queue = queue("a")
        let job = try #require(try queue.take(1).first)
        try end(JobQueue.retry(job, after: .seconds(1_000), Self.failure))
        guard case .due(let milliseconds) = try queue.next(limit: 2_000_000) else {
            return #expect(Bool(false), "it is due before its time")
        }
        #expect((1...1_000_000).contains(milliseconds))
    }
}
