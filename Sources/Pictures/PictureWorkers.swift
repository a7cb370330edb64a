import Glibc
import HTTPFetch
import Jobs
import PictureCoding
import Postgres
import Synchronization
import Threads

/// Brings the pictures that links show, and removes those that nothing shows: threads beside the saved links, which never wait
/// for them.
public final class PictureWorkers: Sendable {
    /// Holds nothing of what is shown.
    public enum Event: Sendable {
        case databaseUnavailable(PostgresError)
        /// Something of ours keeps pictures from being read or written.
        case outage(why: String)
        case swept(PictureSweep.Report)
    }

    private let settings: PictureSettings
    private let fetchSettings: FetchSettings
    private let limits: PictureLimits
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let report: @Sendable (Event) -> Void
    private let watch: ChannelWatch
    private let state = Mutex(State())
    private let wakeUp = WakeUp()

    private struct State {
        var running: Set<PictureJob> = []
        /// Counts how often there was news, so that none is slept through.
        var news = 0
        var threads = 0
    }

    /// Longest sleep in milliseconds: what a lost notification can cost.
    private static let longestSleep = 30_000
    private static let secondsBetweenSweeps = 86_400

    /// - Parameters:
    ///   - fetchSettings: of pages; what differs for pictures is set here.
    ///   - prepare: run on each fresh connection; its throw refuses the connection.
    public init(
        _ settings: PictureSettings, fetch fetchSettings: FetchSettings, limits: PictureLimits,
        prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void, report: @escaping @Sendable (Event) -> Void
    ) {
        var fetchSettings = fetchSettings
        // Drawings (SVG) and signs (ICO) go by many types; what is a picture their reader finds out. Nobody calls one a page.
        fetchSettings.wanted = [.image, .other, .text]
        fetchSettings.limits.totalTime = min(fetchSettings.limits.totalTime, .seconds(12))
        fetchSettings.limits.compressedBytes = limits.sourceBytes
        fetchSettings.limits.inflatedBytes = limits.sourceBytes
        self.settings = settings
        self.fetchSettings = fetchSettings
        self.limits = limits
        self.prepare = prepare
        self.report = report
        watch = ChannelWatch(settings.conninfo, channel: "lectern_pictures", prepare: prepare)
    }

    /// Asks all threads to end. Callable from any thread.
    public func stop() {
        watch.stop()
        wakeUp.all()
    }

    /// Works until stopped, on the calling thread and others.
    public func run() {
        let fetcher = Fetcher(fetchSettings)
        let turns = CountingSemaphore(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        for _ in 0..<settings.parallel {
            state.withLock { $0.threads += 1 }
            Thread.start { [self] in
                work(fetcher, turns)
                state.withLock { $0.threads -= 1 }
                wakeUp.all()
            }
        }
        keepHouse()
        while state.withLock({ $0.threads > 0 }) {
            wakeUp.wait(milliseconds: 1_000) { state.withLock { $0.threads == 0 } }
        }
    }

    // MARK: - The threads that bring pictures

    private func work(_ fetcher: Fetcher, _ turns: CountingSemaphore) {
        let work = PictureThread(
            settings, Database(settings.conninfo, prepare: prepare), fetcher, limits, turns: turns, report: report)
        while !watch.isStopping {
            let news = state.withLock { $0.news }
            do throws(PostgresError) {
                let step = try work.step { job, body throws(PostgresError) in
                    state.withLock { _ = $0.running.insert(job) }
                    defer { state.withLock { _ = $0.running.remove(job) } }
                    try body()
                }
                switch step {
                case .done: continue
                case .nothingToDo:
                    wakeUp.wait(milliseconds: Self.longestSleep) { watch.isStopping || state.withLock { $0.news != news } }
                // The next picture would fare no better.
                case .outage: wakeUp.wait(milliseconds: settings.retryBase * 1_000) { watch.isStopping }
                }
            } catch {
                if !watch.isStopping { report(.databaseUnavailable(error)) }
                wakeUp.wait(milliseconds: 1_000) { watch.isStopping }
            }
        }
    }

    // MARK: - The thread that keeps house

    private func keepHouse() {
        let database = Database(settings.conninfo, prepare: prepare)
        let queue = PictureQueue(database: database, lease: settings.lease)
        let store = PictureStore(database: database, settings: settings)
        let folder = PictureFolder(path: settings.folder)
        var swept: ContinuousClock.Instant?
        var hasSurveyedAgain = settings.mode == .off
        watch.run { connection throws(PostgresError) in
            if !hasSurveyedAgain {
                try queue.surveyAgain()
                hasSurveyedAgain = true
            }
            try queue.renew(state.withLock { Array($0.running) })
            state.withLock { $0.news += 1 }
            wakeUp.all()
            while try store.dropLoose(), !watch.isStopping {}
            try Self.removeFiles(folder, &connection, isStopping: { watch.isStopping })
            if swept.map({ .now - $0 > .seconds(Self.secondsBetweenSweeps) }) ?? true {
                swept = .now
                report(.swept(try PictureSweep(folder: folder).run(&connection)))
            }
            // Often enough for the leases.
            return try max(50, queue.millisecondsToNext(most: min(Self.longestSleep, settings.lease * 333)))
        } report: { report(.databaseUnavailable($0)) }
    }

    private static func removeFiles(
        _ folder: PictureFolder, _ connection: inout Connection, isStopping: () -> Bool
    ) throws(PostgresError) {
        guard folder.isThere else { return }
        while !isStopping() {
            let rows = try connection.query("select address from private.picture_removals limit 500")
            let removed = (0..<rows.count).compactMap { rows.text($0, 0) }.filter { address in
                PictureAddress(address).map(folder.remove) ?? true
            }
            guard !removed.isEmpty else { return }
            _ = try connection.query("delete from private.picture_removals where address = any(\(array: removed))")
            if rows.count < 500 { return }
        }
    }
}
