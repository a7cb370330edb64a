import HTTPFetch
import Jobs
import Postgres
import Telemetry

/// Works on save jobs, one after another, on one thread with its own way to PostgreSQL.
final class SaveJob {
    private let database: Database
    private let resolvePage: ResolvePage
    private let readPage: ReadPage
    private let policy: RetryPolicy
    private let runner: String
    private let log: Log

    init(conninfo: String, fetcher: Fetcher, readPage: ReadPage, policy: RetryPolicy, runner: String, log: Log) {
        database = Database(conninfo)
        resolvePage = ResolvePage(fetcher)
        self.readPage = readPage
        self.policy = policy
        self.runner = runner
        self.log = log
    }

    func work(on job: Job) {
        let store = StoreLink(database, job: job, runner: runner)
        let watch = StepWatch()
        do {
            // Leased once too often: whoever had it before died of it.
            guard job.attempt <= policy.attempts else { return try give(up: job, store) }
            guard let saved = try store.savedURL() else { return try store.abandon() }
            let reading = try saveLink(store, watch)(saved)
            log(
                .jobDone(
                    link: job.linkID, attempt: job.attempt, outcome: reading.missing?.rawValue ?? "article",
                    milliseconds: watch.steps))
        } catch let error as SaveError {
            settle(job, store, error)
        } catch {
            lose(job, error)
        }
    }

    private func saveLink(_ store: StoreLink, _ watch: StepWatch) -> SaveLink {
        SaveLink(
            resolve: { [resolvePage] saved throws(SaveError) in
                try watch.time("fetch") { () throws(SaveError) in try resolvePage(saved.url) }
            },
            canonicalise: { page in watch.time("canonicalise") { CanonicalLink(page) } },
            read: { [readPage] page in watch.time("read") { readPage(page) } },
            store: { link, reading throws(SaveError) in
                try watch.time("store") { () throws(SaveError) in
                    do throws(PostgresError) {
                        try store.store(link, reading)
                    } catch {
                        throw SaveError(database: error)
                    }
                }
            })
    }

    // MARK: - Failure

    /// Asks the policy, and does what it says: later, or never, with the reason on the link either way.
    private func settle(_ job: Job, _ store: StoreLink, _ error: SaveError) {
        guard !error.isOutage else { return lose(job, error) }
        let failure = JobFailure(
            reason: error.reason, message: error.message, isRetryable: error.isRetryable,
            retryAfter: error.retryAfter.map { .seconds($0) })
        let decision = policy.decide(
            afterAttempt: job.attempt, isRetryable: failure.isRetryable, retryAfter: failure.retryAfter,
            chance: Double.random(in: 0...1))
        do {
            switch decision {
            case .bury: try store.fail(failure, isFinal: true)
            case .retry(let delay):
                try store.fail(failure, isFinal: false)
                try Queue(database, runner: runner, lease: 0).retry(job, after: delay, failure)
            }
            log(
                .jobFailed(
                    link: job.linkID, attempt: job.attempt, reason: error.reason, message: error.message,
                    next: "\(decision)"))
        } catch {
            lose(job, error)
        }
    }

    private func give(up job: Job, _ store: StoreLink) throws(PostgresError) {
        let failure = JobFailure(
            reason: MissingArticle.overBudget.rawValue, message: MissingArticle.overBudget.sentence, isRetryable: false)
        try store.fail(failure, isFinal: true)
        log(.jobFailed(link: job.linkID, attempt: job.attempt, reason: failure.reason, message: failure.message, next: "bury"))
    }

    /// The database went away, or the lease did: the job stays leased and comes back when the lease ends.
    private func lose(_ job: Job, _ error: any Error) {
        log(.jobLost(link: job.linkID, why: String(describing: error)))
    }
}

extension SaveError {
    /// A transaction that failed: the page is not to blame.
    init(database error: PostgresError) {
        self.init(
            reason: "database", message: String(describing: error), isRetryable: true, retryAfter: nil, isOutage: true)
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
