import HTTPFetch
import Jobs
import PictureMessages
import Postgres
import Synchronization
import Threads

/// Fetches the pictures that links show, and removes pictures that no link shows any more. Its threads never delay
/// saved links.
public final class PictureWorkers: Sendable {
    /// What happened. Holds no address and no picture.
    public enum Event: Sendable {
        case databaseUnavailable(PostgresError)
        /// The server itself cannot read or write pictures.
        case outage(why: String)
        case swept(PictureSweep.Report)
    }

    private let settings: PictureSettings
    private let fetchSettings: FetchSettings
    private let limits: PictureLimits
    private let report: @Sendable (Event) -> Void
    private let watch: ChannelWatch
    private let state = Mutex(State())
    private let wakeUp = WakeUp()

    private struct State {
        var running: Set<PictureJob> = []
        var threads = 0
        /// Whether one more thread is to look for work, because some may have come since the last one looked.
        var isThreadWanted = false
    }

    /// The longest time between two queries of the queues, in milliseconds: the delay that a lost notification can cause.
    private static let maxSleep = 30_000
    /// How long a thread without work keeps its process, in milliseconds. A process takes 0.1 s of processor time to
    /// start, and links are often saved one after another.
    private static let processRest = 10_000
    /// The longest sleep of a thread, in milliseconds. Housekeeping wakes a thread when there is work.
    private static let threadSleep = 3_600_000
    private static let secondsBetweenSweeps = 86_400

    /// - Parameter fetchSettings: the settings for pages; the initializer changes what differs for pictures.
    public init(
        _ settings: PictureSettings, fetch fetchSettings: FetchSettings, limits: PictureLimits,
        report: @escaping @Sendable (Event) -> Void
    ) {
        var fetchSettings = fetchSettings
        // SVG and ICO files are served under many media types, so the picture reader decides what is a picture. None is
        // served as HTML.
        fetchSettings.wanted = [.image, .other, .text]
        fetchSettings.limits.totalTime = min(fetchSettings.limits.totalTime, .seconds(12))
        fetchSettings.limits.compressedBytes = limits.sourceBytes
        fetchSettings.limits.inflatedBytes = limits.sourceBytes
        self.settings = settings
        self.fetchSettings = fetchSettings
        self.limits = limits
        self.report = report
        watch = ChannelWatch(settings.database, channel: "lectern_pictures")
    }

    /// Stops all threads. Callable from any thread.
    public func stop() {
        watch.stop()
        wakeUp.all()
    }

    /// Works until stopped, on the calling thread and others.
    public func run() {
        let fetcher = Fetcher(fetchSettings)
        let decoding = CountingSemaphore(Processors.count)
        startThread(fetcher, decoding)
        runHousekeeping()
        while state.withLock({ $0.threads > 0 }) {
            wakeUp.wait(milliseconds: 1_000) { state.withLock { $0.threads == 0 } }
        }
    }

    // MARK: - The threads that fetch pictures

    /// Has one more thread look for work. A thread that finds some calls this in turn, so that work for one thread does
    /// not have all of them ask the database.
    private func wakeThread() {
        state.withLock { $0.isThreadWanted = true }
        wakeUp.all()
    }

    /// Sleeps until one more thread is wanted. Of several threads that sleep, one stops sleeping.
    ///
    /// - Returns: false when the time has passed.
    private func waitForWork(milliseconds: Int) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !watch.isStopping, case let left = end - .now, left > .zero {
            let isWanted = state.withLock { state in
                defer { state.isThreadWanted = false }
                return state.isThreadWanted
            }
            if isWanted { return true }
            wakeUp.wait(milliseconds: Int(left.components.seconds) * 1_000 + 1) {
                watch.isStopping || state.withLock { $0.isThreadWanted }
            }
        }
        return watch.isStopping
    }

    /// Starts a thread unless there are enough. Each thread starts the next one when it finds work, so that a server
    /// whose links show few pictures has few connections to the database.
    private func startThread(_ fetcher: Fetcher, _ decoding: CountingSemaphore) {
        let isWanted = state.withLock { state in
            guard state.threads < settings.parallel else { return false }
            state.threads += 1
            return true
        }
        guard isWanted else { return }
        Thread.start { [self] in
            work(fetcher, decoding)
            state.withLock { $0.threads -= 1 }
            wakeUp.all()
        }
    }

    private func work(_ fetcher: Fetcher, _ decoding: CountingSemaphore) {
        var hasStartedNext = false
        let work = PictureThread(
            settings, settings.database, fetcher, limits, decoding: decoding, report: report
        ) { [self] in
            wakeThread()
            if !hasStartedNext { startThread(fetcher, decoding) }
            hasStartedNext = true
        }
        while !watch.isStopping {
            do throws(PostgresError) {
                let step = try work.step { job, body throws(PostgresError) in
                    state.withLock { _ = $0.running.insert(job) }
                    defer { state.withLock { _ = $0.running.remove(job) } }
                    try body()
                }
                switch step {
                case .done: continue
                case .nothingToDo:
                    if waitForWork(milliseconds: Self.processRest) { continue }
                    work.endProcess()
                    _ = waitForWork(milliseconds: Self.threadSleep)
                // The next picture would fail in the same way.
                case .outage: wakeUp.wait(milliseconds: settings.retryBase * 1_000) { watch.isStopping }
                }
            } catch {
                if !watch.isStopping { report(.databaseUnavailable(error)) }
                wakeUp.wait(milliseconds: 1_000) { watch.isStopping }
            }
        }
    }

    // MARK: - Housekeeping

    /// Renews leases, wakes the threads, and removes pictures and files, until stopped.
    private func runHousekeeping() {
        let database = settings.database
        let queue = PictureQueue(
            database: database, lease: settings.lease, parallel: settings.parallel, mode: settings.mode)
        let store = PictureStore(database: database, settings: settings)
        let folder = PictureFolder(path: settings.folder)
        var swept: ContinuousClock.Instant?
        var hasRequeuedListings = settings.mode == .off
        watch.run { () throws(PostgresError) in
            if !hasRequeuedListings {
                try queue.requeueIncompleteListings()
                hasRequeuedListings = true
            }
            try queue.renew(state.withLock { Array($0.running) })
            // Often enough to renew the leases: 333 ms for each second of a lease is a third of it.
            let next = try queue.millisecondsToNext(limit: min(Self.maxSleep, settings.lease * 333))
            if next == 0 { wakeThread() }
            while try store.removeUnshown(), !watch.isStopping {}
            try database.usingConnection { connection throws(PostgresError) in
                try Self.removeFiles(folder, &connection, isStopping: { watch.isStopping })
                if swept.map({ .now - $0 > .seconds(Self.secondsBetweenSweeps) }) ?? true {
                    swept = .now
                    report(.swept(try PictureSweep(folder: folder).run(&connection)))
                }
            }
            return max(50, next)
        } report: {
            report(.databaseUnavailable($0))
        }
    }

    private static func removeFiles(
        _ folder: PictureFolder, _ connection: inout Connection, isStopping: () -> Bool
    ) throws(PostgresError) {
        guard folder.exists else { return }
        while !isStopping() {
            let rows = try connection.query(
                "select address from private.picture_removals where not private.backup_is_running() limit 500")
            let removed = (0..<rows.count).compactMap { rows.text($0, 0) }.filter { address in
                PictureAddress(address).map(folder.remove) ?? true
            }
            guard !removed.isEmpty else { return }
            _ = try connection.query("delete from private.picture_removals where address = any(\(array: removed))")
            if rows.count < 500 { return }
        }
    }
}
