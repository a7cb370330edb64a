import Glibc
import Postgres
import Synchronization
import Threads

/// Leases jobs of saved links and runs them on worker threads. A process has at most one runner.
///
/// The dispatcher sleeps until NOTIFY lectern_jobs or until the next job is due, so a lost notification delays a job by
/// seconds and loses none. The leases of running jobs are renewed; when a runner dies, its leases expire. A runner with
/// a hanging thread stops, since the thread's slot would never become free again.
public final class Runner: Sendable {
    public struct Options: Sendable {
        /// For the role lectern_jobs.
        public var database: Database
        /// Jobs that run at the same time.
        public var parallel = 16
        /// Seconds a lease lasts without renewal.
        public var lease = 60
        /// Seconds that running jobs may take to end once the runner stops.
        public var drain = 8
        /// Seconds a job may take. A job that takes longer hangs, and its lease is not renewed any more.
        public var deadline = 900

        public init(_ database: Database) { self.database = database }
    }

    public enum Event: Sendable {
        case databaseUnavailable(reason: String)
        /// A job does not end and its thread is lost. The runner stops, so that the process can be restarted.
        case hanging(Job)
        case stopping
    }

    /// Works on one job. Made on the thread that uses it, so it may own a database connection.
    public typealias Work = (Job) -> JobEnding

    private let options: Options
    /// The runner's name on its leases.
    private let name: String
    private let makeWork: @Sendable () -> Work
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    private struct State {
        /// Leased jobs that no thread has begun.
        var waiting: [Job] = []
        /// The running jobs and their start times.
        var running: [Job: ContinuousClock.Instant] = [:]
        var handedBack: [HandedBack] = []
        /// How many jobs have ended.
        var ended = 0
        /// How many worker threads there are.
        var threads = 0
        var isStopping = false
    }

    /// A job that is to be handed back to the queue.
    private struct HandedBack {
        var job: Job
        var delay: Duration
        var failure: JobFailure
    }

    /// The longest sleep between two queries, in milliseconds: the delay that a lost notification can cause.
    private static let maxSleep = 5_000
    /// The sleep right after jobs were leased, in milliseconds. A transaction that saw one of them waiting sent no
    /// notification for its own job, and may have been committed after the query.
    private static let sleepAfterWork = 200

    /// Makes a name that no other runner has.
    public static func newName() -> String { "\(getpid())-\(UInt32.random(in: .min ... .max))" }

    public init(
        _ options: Options, name: String = Runner.newName(), makeWork: @escaping @Sendable () -> Work,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.options = options
        self.makeWork = makeWork
        self.report = report
        wakeUp = WakeUp()
        self.name = name
    }

    /// Stops the runner: it leases no more jobs and lets running ones end. Callable from any thread.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wakeUp.all()
        options.database.wakeSubscriptions()
    }

    /// Runs until SIGTERM or SIGINT. The main thread must call this before it starts other threads: it blocks the
    /// signals for all of them, so that no signal interrupts a blocking call of a job.
    ///
    /// - Parameter startOthers: starts further threads of the caller, which inherit the blocked signals.
    public func runUntilSignal(beside startOthers: () -> Void = {}) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A closed connection fails the call that uses it, and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        Thread.start { [self, signals] in
            var awaited = signals
            var received: Int32 = 0
            sigwait(&awaited, &received)
            stop()
        }
        startOthers()
        run()
    }

    /// Runs until stopped. Blocks the calling thread.
    public func run() {
        Thread.start { [self] in renewLeases() }
        dispatchUntilStopped()
        report(.stopping)
        drain()
    }

    // MARK: - Dispatching

    private func dispatchUntilStopped() {
        while !isStopping {
            do {
                try listenAndDispatch()
            } catch {
                guard !isStopping else { return }
                report(.databaseUnavailable(reason: String(describing: error)))
                // The database is unavailable; one second is short for people and long for a loop.
                wakeUp.wait(milliseconds: 1_000) { [self] in isStopping }
            }
        }
    }

    private func listenAndDispatch() throws(PostgresError) {
        let notifications = ChannelSubscription(options.database, channel: "lectern_jobs")
        let queue = makeQueue()
        // Leases may have expired while the database was unavailable. Renew them before another runner takes the jobs.
        _ = try queue.renew(state.withLock { Array($0.running.keys) })
        var hasJustTaken = true
        while !isStopping {
            try handBack(queue)
            let free = freeSlots
            guard free > 0 else {
                wakeUp.wait(milliseconds: 1_000) { [self] in isStopping || freeSlots > 0 }
                continue
            }
            let ended = state.withLock { $0.ended }
            let jobs = try queue.take(free, limits: UserJobLimits(of: options.parallel))
            if jobs.isEmpty {
                let limit = hasJustTaken ? Self.sleepAfterWork : Self.maxSleep
                hasJustTaken = false
                switch try queue.next(limit: limit) {
                case .due(let milliseconds):
                    _ = notifications.wait(milliseconds: max(milliseconds, 10)) { [self] in isStopping }
                case .held:
                    // Held jobs may be free when another one has ended.
                    _ = notifications.wait(milliseconds: Self.sleepAfterWork) { [self] in
                        isStopping || ended != state.withLock { $0.ended }
                    }
                }
            } else {
                hasJustTaken = true
                state.withLock { state in
                    state.waiting += jobs
                    for job in jobs { state.running[job] = .now }
                }
                startThreads()
                wakeUp.all()
            }
        }
    }

    private func makeQueue() -> JobQueue { JobQueue(options.database, runner: name, lease: options.lease) }

    private var freeSlots: Int { state.withLock { options.parallel - $0.running.count } }
    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: - Working

    /// Starts threads until there is one for each leased job. They run until the runner stops. So a server that never
    /// has many jobs at once has few connections to the database, and their plans are ready.
    private func startThreads() {
        let missing = state.withLock { state in
            let missing = max(0, min(options.parallel, state.running.count) - state.threads)
            state.threads += missing
            return missing
        }
        for _ in 0..<missing { Thread.start { [self] in workUntilStopped() } }
    }

    private func workUntilStopped() {
        let work = makeWork()
        while let job = nextJob() {
            let ending = work(job)
            state.withLock { state in
                state.running[job] = nil
                state.ended += 1
                if case .handedBack(let delay, let failure) = ending {
                    state.handedBack.append(HandedBack(job: job, delay: delay, failure: failure))
                }
            }
            wakeUp.all()
            options.database.wakeSubscriptions()
        }
    }

    /// Waits for the next job; nil when the runner stops.
    private func nextJob() -> Job? {
        while true {
            let (job, isStopping) = state.withLock { state in
                (state.waiting.isEmpty || state.isStopping ? nil : state.waiting.removeFirst(), state.isStopping)
            }
            if let job { return job }
            if isStopping { return nil }
            wakeUp.wait(milliseconds: 1_000) { [self] in
                state.withLock { $0.isStopping || !$0.waiting.isEmpty }
            }
        }
    }

    /// Renews leases until the runner has stopped and its last job has ended.
    private func renewLeases() {
        let queue = makeQueue()
        var schedule = LeaseSchedule(lease: .seconds(options.lease), deadline: .seconds(options.deadline), now: .now)
        while true {
            let sleep = Int(max(.zero, schedule.next - .now).seconds * 1_000) + 1
            wakeUp.wait(milliseconds: sleep) { [self] in isStopping && freeSlots == options.parallel }
            let running = state.withLock { $0.running }
            if running.isEmpty, isStopping { return }
            let now = ContinuousClock.now
            stopIfHanging(running, now: now)
            guard now >= schedule.next else { continue }
            schedule.forgetAll(except: running)
            let jobs = schedule.jobs(of: running, now: now)
            do {
                schedule.renewed(jobs, held: jobs.isEmpty ? [] : try queue.renew(jobs), now: now)
            } catch {
                // The dispatcher uses the same database and reports the failure.
                schedule.failed(now: now)
            }
        }
    }

    /// Whether a job with this start time hangs, and its lease has expired after its deadline.
    private func isHanging(since start: ContinuousClock.Instant, now: ContinuousClock.Instant) -> Bool {
        now - start > .seconds(options.deadline + options.lease)
    }

    /// Stops the runner when a job hangs: another runner has the job by now, or will soon.
    private func stopIfHanging(_ running: [Job: ContinuousClock.Instant], now: ContinuousClock.Instant) {
        guard !isStopping, let hanging = running.first(where: { isHanging(since: $0.value, now: now) }) else { return }
        report(.hanging(hanging.key))
        stop()
    }

    /// Hands jobs back to the queue. When that fails, the remaining jobs are handed back the next time.
    private func handBack(_ queue: JobQueue) throws(PostgresError) {
        while let next = state.withLock({ $0.handedBack.first }) {
            try queue.handBack([next.job], after: next.delay, next.failure)
            state.withLock { _ = $0.handedBack.removeFirst() }
        }
    }

    // MARK: - Stopping

    /// Removes the leased jobs that no thread has begun.
    private func removeWaiting() -> [Job] {
        state.withLock { state in
            let jobs = state.waiting
            state.waiting = []
            for job in jobs { state.running[job] = nil }
            return jobs
        }
    }

    /// Waits for running jobs, then hands the remaining ones back, so that another runner need not wait for their
    /// leases to expire.
    private func drain() {
        let queue = makeQueue()
        var leftOver = removeWaiting()
        let deadline = ContinuousClock.now + .seconds(options.drain)
        while freeSlots < options.parallel, ContinuousClock.now < deadline {
            wakeUp.wait(milliseconds: 100) { [self] in freeSlots == options.parallel }
        }
        // A hanging job is not handed back: its lease expires, and it counts as interrupted.
        let now = ContinuousClock.now
        leftOver += state.withLock { $0.running.filter { !isHanging(since: $0.value, now: now) }.map(\.key) }
        // Without the database the leases expire.
        try? handBack(queue)
        if !leftOver.isEmpty { try? queue.handBack(leftOver) }
    }
}
