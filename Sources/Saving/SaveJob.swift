import HTTPFetch
import Jobs
import Postgres
import Telemetry

/// Works on save jobs, one after another, on one thread with its own way to PostgreSQL.
final class SaveJob {
    private let database: Database
    private let resolve: (FetchRequest) throws(SaveError) -> Page?
    private let readPage: ReadPage
    private let keeping: SourceRetention
    private let turns: HostRateLimiter
    private let delays: CrawlDelays
    private let quotas: Quotas
    private let policy: RetryPolicy
    private let log: Log

    init(
        _ database: Database, resolve: @escaping (FetchRequest) throws(SaveError) -> Page?, readPage: ReadPage,
        keeping: SourceRetention = SourceRetention(), turns: HostRateLimiter = .unlimited, delays: CrawlDelays = .none, quotas: Quotas = Quotas(),
        policy: RetryPolicy, log: Log
    ) {
        self.database = database
        self.resolve = resolve
        self.readPage = readPage
        self.keeping = keeping
        self.turns = turns
        self.delays = delays
        self.quotas = quotas
        self.policy = policy
        self.log = log
    }

    func work(on job: Job) -> JobEnding {
        let store = LinkStore(database, job: job, keeping: keeping)
        do throws(SaveError) {
            guard let saved = try asking({ () throws(PostgresError) in try store.savedURL() }) else {
                try asking { () throws(PostgresError) in try store.abandon() }
                return .settled
            }
            if job.interruptions >= policy.interruptions {
                try settle(job, saved, store, SaveError.interrupted(times: job.interruptions))
                return .settled
            }
            switch job.kind {
            case .save, .refresh: try whenThereIsRoom(job, saved, store)
            case .check: try inTurn(job, saved, store)
            case .extract, .place: try workOrSettle(job, saved, store)
            }
            return .settled
        } catch {
            return lose(job, error)
        }
    }

    /// When its user's quotas let it.
    private func whenThereIsRoom(_ job: Job, _ saved: SavedURL, _ store: LinkStore) throws(SaveError) {
        switch try asking({ () throws(PostgresError) in try store.inTheWay(quotas) }) {
        case .full(let failure): return try settle(job, saved, store, failure)
        case .fetchedEnough(let failure, let wait):
            // Apart from each other, as not all of those that wait have room then.
            let wait = max(wait, .seconds(600)) + .seconds(Double.random(in: 0...1_200))
            return try asking { () throws(PostgresError) in try store.postpone(saved, for: wait, job.kind == .save ? failure.cause : nil) }
        case nil: break
        }
        try inTurn(job, saved, store)
    }

    /// When its site's turn has come.
    private func inTurn(_ job: Job, _ saved: SavedURL, _ store: LinkStore) throws(SaveError) {
        guard let host = HostRateLimiter.host(of: saved.url) else {
            try workOrSettle(job, saved, store)
            return
        }
        if case .later(let delay) = turns.begin(host, of: job.userID, isAwaited: job.isAwaited, isRecheck: job.kind.isRecheck) {
            return try asking { () throws(PostgresError) in try store.postpone(saved, for: delay) }
        }
        if job.kind.isRecheck { turns.rest(host, fromRevisits: delays.of(saved.url)) }
        var failure: SaveError.Failure?
        // Who says so may be another, to whom this one has led.
        defer { turns.end(host, retryAfter: failure?.host == host ? failure?.retryAfter : nil) }
        failure = try workOrSettle(job, saved, store)
    }

    /// - Returns: what failed on the page, and was settled.
    @discardableResult
    private func workOrSettle(_ job: Job, _ saved: SavedURL, _ store: LinkStore) throws(SaveError) -> SaveError.Failure? {
        do throws(SaveError) {
            if job.kind == .check { try check(job, saved, store) } else { try save(job, saved, store) }
            return nil
        } catch .failed(let failure) {
            try settle(job, saved, store, failure)
            return failure
        }
    }

    /// Whether the page is still there. What stands there is left alone.
    private func check(_ job: Job, _ saved: SavedURL, _ store: LinkStore) throws(SaveError) {
        let watch = StepWatch()
        let known = try watch.time("recall") { () throws(SaveError) in try asking { () throws(PostgresError) in try store.known() } }
        let page = try watch.time("fetch") { () throws(SaveError) in try resolve(FetchRequest(saved.url, copy: known.copy, wantsBody: false)) }
        try asking { () throws(PostgresError) in try store.found(saved, hadFailed: known.hasFailed, steps: watch.steps) }
        log(.jobDone(link: job.linkID, attempt: job.attempt, outcome: page == nil ? "not modified" : "there", milliseconds: watch.steps))
    }

    private func save(_ job: Job, _ saved: SavedURL, _ store: LinkStore) throws(SaveError) {
        let watch = StepWatch()
        let outcome = try saveLink(job, store, watch)(saved)
        log(.jobDone(link: job.linkID, attempt: job.attempt, outcome: outcome.words, milliseconds: watch.steps))
    }

    private func saveLink(_ job: Job, _ store: LinkStore, _ watch: StepWatch) -> SaveLink {
        var saveLink = SaveLink(
            recall: { [self] saved throws(SaveError) in
                try watch.time("recall") { () throws(SaveError) in
                    try asking { () throws(PostgresError) in try store.recall(saved) }
                }
            },
            resolve: { [resolve] saved, copy throws(SaveError) in
                try watch.time("fetch") { () throws(SaveError) in try resolve(FetchRequest(saved.url, copy: copy)) }
            },
            read: { [readPage] page throws(SaveError) in
                try watch.time("read") { () throws(SaveError) in try readPage(page) }
            },
            canonicalise: { page in watch.time("canonicalise") { CanonicalLink(page) } },
            store: { [self] saved, link, kept, outcome throws(SaveError) in
                try watch.time("store") { () throws(SaveError) in
                    try asking { () throws(PostgresError) in try store.store(saved, link, kept, outcome, steps: watch.steps) }
                }
            })
        if job.kind != .save, job.kind != .refresh { saveLink.resolve = nil }
        saveLink.isAsked = job.kind == .save
        return saveLink
    }

    // MARK: - Failure

    /// Asks the policy, and does what it says: later, or never, with the reason on the link either way.
    private func settle(
        _ job: Job, _ saved: SavedURL, _ store: LinkStore, _ failure: SaveError.Failure
    ) throws(SaveError) {
        let failure = explained(failure)
        let decision = policy.decide(
            afterAttempt: job.attempt, isRetryable: failure.isRetryable,
            retryAfter: failure.retryAfter.map { .seconds($0) }, chance: Double.random(in: 0...1))
        let beginning = job.kind == .save ? failure.beginning.flatMap { try? readPage($0) } : nil
        try asking { () throws(PostgresError) in
            if decision == .bury, job.kind.isRecheck {
                try store.missed(saved, failure.tellsPageIsGone ? .isBroken(failure.shown ?? failure.cause) : .nothing)
            } else {
                try store.fail(saved, failure.cause, shown: failure.shown, told: beginning, decision)
            }
        }
        log(
            .jobFailed(
                link: job.linkID, attempt: job.attempt, reason: failure.cause.reason, message: failure.cause.message,
                next: "\(decision)"))
    }

    /// With what the site wants, where the page of its refusal tells.
    private func explained(_ failure: SaveError.Failure) -> SaveError.Failure {
        guard failure.shown == nil, let page = failure.page, let reading = try? readPage(page), let missing = reading.missing,
            [.behind(.botChallenge), .behind(.loginWall), .behind(.subscriptionWall), .behind(.consentWall)].contains(missing)
        else { return failure }
        var failure = failure
        failure.shown = JobFailure(reason: missing.code, message: missing.sentence(hasText: false))
        return failure
    }

    /// The job could not be brought to an end: it goes back without counting, unless it is ours no more.
    private func lose(_ job: Job, _ error: SaveError) -> JobEnding {
        log(.jobLost(link: job.linkID, why: error.words))
        return switch error {
        case .lostLease: .settled
        case .outage(let why): .handedBack(after: policy.base, why)
        case .failed(let failure): .handedBack(after: policy.base, failure.cause)
        }
    }

    private func asking<Result>(_ body: () throws(PostgresError) -> Result) throws(SaveError) -> Result {
        do throws(PostgresError) { return try body() } catch { throw SaveError(database: error) }
    }
}

extension SaveOutcome {
    /// For the log.
    fileprivate var words: String {
        guard let view else { return "nothing new" }
        return view.reading.missing?.name ?? stays?.code ?? "article"
    }
}

extension SaveError {
    /// A transaction that failed. What PostgreSQL says of the values themselves is about the page; all else about us.
    init(database error: PostgresError) {
        switch error {
        case .refused(let refusal) where refusal.sqlState == JobQueue.lostLease: self = .lostLease
        case .refused(let refusal) where ["22", "23", "54"].contains(refusal.sqlState.prefix(2)):
            // Classes 22, 23 and 54 of PostgreSQL's appendix A: bad data, a broken constraint, a limit exceeded.
            self = .unstorable("\(refusal.sqlState) \(refusal.message)")
        case .nulInText: self = .unstorable("text with a NUL character")
        case .refused(let refusal):
            self = .outage(JobFailure(reason: "database", message: "\(refusal.sqlState) \(refusal.message)"))
        case .unavailable(let reason), .broken(let reason):
            self = .outage(JobFailure(reason: "database", message: reason))
        }
    }

    private static func unstorable(_ why: String) -> SaveError {
        .failed(
            Failure(
                cause: JobFailure(reason: "not_stored", message: "The database refused the page: \(why)"),
                shown: JobFailure(
                    reason: "not_stored",
                    message: "The page was read but could not be stored. The server's log tells why."),
                isRetryable: true))
    }

    /// Interrupted once too often.
    static func interrupted(times: Int) -> Failure {
        Failure(
            cause: JobFailure(
                reason: "interrupted",
                message: "The server stopped \(times) times in a row while it worked on this page, and gave it up."),
            isRetryable: false)
    }

    /// For the log.
    var words: String {
        switch self {
        case .lostLease: "the lease was lost"
        case .outage(let why): "\(why.reason): \(why.message)"
        case .failed(let failure): "\(failure.cause.reason): \(failure.cause.message)"
        }
    }
}

/// Where the time of one job went. One job, one thread.
final class StepWatch {
    private(set) var steps: [(step: String, milliseconds: Double)] = []

    func time<Result, Failure: Error>(
        _ step: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer { steps.append((step, (ContinuousClock.now - start).milliseconds)) }
        return try work()
    }
}
