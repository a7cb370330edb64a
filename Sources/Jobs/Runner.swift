import Glibc
import Postgres
import Synchronization
import Threads

/// Leases jobs and runs each on a thread of its own pool; one process may have one.
///
/// The dispatcher sleeps on NOTIFY lectern_jobs and wakes by itself when a job comes due, so a lost notification costs
/// seconds and no job. While jobs run, their leases are renewed; a runner that dies is found out when its lease ends. One that
/// has a thread hanging stops by itself, since nothing else would ever give the place back.
public final class Runner: Sendable {
    public struct Options: Sendable {
        /// libpq's keyword string or URI, for the role lectern_jobs.
        public var conninfo: String
        /// Jobs at once.
        public var parallel = 16
        /// Seconds a lease holds without renewal.
        public var lease = 60
        /// Seconds running jobs may take to end once the runner stops.
        public var drain = 8
        /// Seconds a job may take in all. One that takes longer hangs: its lease is renewed no more.
        public var deadline = 900
        /// Run on each fresh connection; its throw refuses the connection.
        public var prepare: @Sendable (inout Connection) throws(PostgresError) -> Void = { _ in }

        public init(conninfo: String) { self.conninfo = conninfo }
    }

    public enum Event: Sendable {
        case databaseUnavailable(reason: String)
        /// A job does not come to its end, and its thread is lost: the runner stops, so that the process can begin anew.
        case hanging(Job)
        case stopping
    }

    /// What works on jobs; made on the thread that uses it, so it may own a database connection.
    public typealias Work = (Job) -> JobEnding

    private let options: Options
    /// The runner's name on its leases.
    private let name: String
    private let makeWork: @Sendable () -> Work
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    private struct State {
        var waiting: [Job] = []
        /// Since when.
        var running: [Job: ContinuousClock.Instant] = [:]
        var handedBack: [HandedBack] = []
        /// Jobs that have ended so far.
        var ended = 0
        var isStopping = false
    }

    /// A job of ours that the queue does not know yet to be free.
    private struct HandedBack {
        var job: Job
        var delay: Duration
        var failure: JobFailure
    }

    /// Longest sleep without looking at the table, in milliseconds: what a lost notification can cost.
    private static let longestSleep = 5_000
    /// The sleep right after jobs were taken, in milliseconds: savers that saw one of them waiting sent no notification,
    /// and their transactions may have ended only after we looked.
    private static let sleepAfterWork = 200

    /// A name that no other runner has.
    public static func newName() -> String { "\(getpid())-\(UInt32.random(in: .min ... .max))" }

    public init(
        _ options: Options, name: String = Runner.newName(), makeWork: @escaping @Sendable () -> Work, report: @escaping @Sendable (Event) -> Void
    ) {
        self.options = options
        self.makeWork = makeWork
        self.report = report
        wakeUp = WakeUp()
        self.name = name
    }

    /// Asks the runner to stop: no new leases, running jobs may end. Callable from any thread.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wakeUp.all()
    }

    /// Runs until SIGTERM or SIGINT. To be called by the main thread before there are others: the signals are blocked
    /// for all of them, so that none cuts a blocking call of a job short.
    ///
    /// - Parameter startOthers: starts threads of the caller that work beside the jobs, and are to be spared the signals
    ///   as well.
    public func runUntilSignal(beside startOthers: () -> Void = {}) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A database or a site that hangs up is an error of the call, not the end of the process.
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
        for _ in 0..<options.parallel { Thread.start { [self] in workUntilStopped() } }
        Thread.start { [self] in keepLeases() }
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
                // The database is away; a second is short for a person and long for a loop.
                wakeUp.wait(milliseconds: 1_000) { [self] in isStopping }
            }
        }
    }

    private func listenAndDispatch() throws(PostgresError) {
        var listener = try Connection(options.conninfo)
        try options.prepare(&listener)
        // This session is idle between notifications, and the role closes idle sessions by default.
        try listener.script("set idle_session_timeout = 0; listen lectern_jobs")
        let queue = makeQueue()
        // While the database was away leases may have run out that nobody has taken; ours are not to be taken from us.
        _ = try queue.renew(state.withLock { Array($0.running.keys) })
        var hasJustTaken = true
        while !isStopping {
            try handBack(queue)
            let free = freePlaces
            guard free > 0 else {
                wakeUp.wait(milliseconds: 1_000) { [self] in isStopping || freePlaces > 0 }
                continue
            }
            let ended = state.withLock { $0.ended }
            let jobs = try queue.take(free, shares: UserJobLimits(of: options.parallel))
            if jobs.isEmpty {
                let most = hasJustTaken ? Self.sleepAfterWork : Self.longestSleep
                hasJustTaken = false
                switch try queue.next(most: most) {
                case .due(let milliseconds): try rest(&listener, milliseconds: milliseconds)
                case .held: try rest(&listener, milliseconds: Self.sleepAfterWork, unlessEnded: ended)
                }
            } else {
                hasJustTaken = true
                state.withLock { state in
                    state.waiting += jobs
                    for job in jobs { state.running[job] = .now }
                }
                wakeUp.all()
            }
        }
    }

    /// Sleeps until a notification, in short turns so that a stop is not kept waiting.
    ///
    /// - Parameter count: ends as well when another number of jobs has ended; what is held then need not wait.
    private func rest(_ listener: inout Connection, milliseconds: Int, unlessEnded count: Int? = nil) throws(PostgresError) {
        var left = max(milliseconds, 10)
        while left > 0, !isStopping, count == nil || count == state.withLock({ $0.ended }) {
            let turn = min(left, count == nil ? 250 : 20)
            if try !listener.notifications(timeout: Int32(turn)).isEmpty { return }
            left -= turn
        }
    }

    private func makeQueue() -> Queue {
        Queue(Database(options.conninfo, prepare: options.prepare), runner: name, lease: options.lease)
    }

    private var freePlaces: Int { state.withLock { options.parallel - $0.running.count } }
    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: - Working

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
        }
    }

    /// The next job, or nil when the runner stops.
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

    /// Renews until the runner has stopped and its last job has ended.
    private func keepLeases() {
        let queue = makeQueue()
        var rounds = LeaseSchedule(lease: .seconds(options.lease), deadline: .seconds(options.deadline), now: .now)
        while true {
            let sleep = Int(max(.zero, rounds.next - .now).seconds * 1_000) + 1
            wakeUp.wait(milliseconds: sleep) { [self] in isStopping && freePlaces == options.parallel }
            let running = state.withLock { $0.running }
            if running.isEmpty, isStopping { return }
            let now = ContinuousClock.now
            giveUpIfHanging(running, now: now)
            guard now >= rounds.next else { continue }
            rounds.keep(running)
            let jobs = rounds.jobs(of: running, now: now)
            do {
                rounds.renewed(jobs, held: jobs.isEmpty ? [] : try queue.renew(jobs), now: now)
            } catch {
                // The failure shows elsewhere: the dispatcher talks to the same database and reports it.
                rounds.failed(now: now)
            }
        }
    }

    private func isLost(since begun: ContinuousClock.Instant, now: ContinuousClock.Instant) -> Bool {
        now - begun > .seconds(options.deadline + options.lease)
    }

    /// A job whose lease has run out after its deadline is another's by now, or soon.
    private func giveUpIfHanging(_ running: [Job: ContinuousClock.Instant], now: ContinuousClock.Instant) {
        guard !isStopping, let hanging = running.first(where: { isLost(since: $0.value, now: now) }) else { return }
        report(.hanging(hanging.key))
        stop()
    }

    /// Tells the queue what was handed back. What it could not be told stays for the next time.
    private func handBack(_ queue: Queue) throws(PostgresError) {
        while let next = state.withLock({ $0.handedBack.first }) {
            try queue.handBack([next.job], after: next.delay, next.failure)
            state.withLock { _ = $0.handedBack.removeFirst() }
        }
    }

    // MARK: - Stopping

    /// Jobs leased and not begun; they are not ours any more.
    private func takeBack() -> [Job] {
        state.withLock { state in
            let jobs = state.waiting
            state.waiting = []
            for job in jobs { state.running[job] = nil }
            return jobs
        }
    }

    /// Waits for running jobs, then hands back what is left, so that another runner need not wait for the lease.
    private func drain() {
        let queue = makeQueue()
        var leftOver = takeBack()
        let deadline = ContinuousClock.now + .seconds(options.drain)
        while freePlaces < options.parallel, ContinuousClock.now < deadline {
            wakeUp.wait(milliseconds: 100) { [self] in freePlaces == options.parallel }
        }
        // One that hangs is not handed back as if nothing had been: its lease runs out, and it counts as interrupted.
        let now = ContinuousClock.now
        leftOver += state.withLock { $0.running.filter { !isLost(since: $0.value, now: now) }.map(\.key) }
        // Without the database the leases run out by themselves.
        try? handBack(queue)
        if !leftOver.isEmpty { try? queue.handBack(leftOver) }
    }
}
