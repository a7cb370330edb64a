import Confinement
import Glibc
import HTTPFetch
import Jobs
import Postgres
import ReaderProcess
import Schema
import Settings
import Telemetry
import Threads

/// The jobs process: one runner, one fetcher, threads that each carry one saved link at a time.
public struct SavedLinkJobs {
    /// What settings must be for the jobs to start, beyond what the table of settings says.
    public static let rules = FetchSettings.settingRules

    private let settings: Settings
    private let schema: SchemaVersion
    private let log: Log

    /// - Parameter schema: the schema the database must have.
    public init(_ settings: Settings, schema: SchemaVersion, log: Log) {
        self.settings = settings
        self.schema = schema
        self.log = log
    }

    /// The database has another schema than this build works with.
    public struct OtherSchema: Error, CustomStringConvertible {
        public let description: String
    }

    /// Works until SIGTERM or SIGINT.
    ///
    /// - Parameter others: what else this process does.
    /// - Throws: before anything is taken, when settings are missing or bad, or ``OtherSchema``.
    public func run(beside others: [BackgroundService] = []) throws {
        var options = Runner.Options(conninfo: try settings.required("JOBS_DATABASE"))
        try checkSchema(options.conninfo)
        options.prepare = schema.check
        options.parallel = settings.number("JOBS_PARALLEL")
        options.lease = settings.number("JOBS_LEASE")
        options.drain = settings.number("DRAIN_TIMEOUT")
        let fetchSettings = try FetchSettings(settings)
        let (fetcher, fetches) = (Fetcher(fetchSettings), SharedFetches())
        // Pages come in sizes of megabytes, and what comes back of them does.
        AllocatorTuning.returnLargeBlocks()
        let limits = ReaderLimits(settings)
        let readers = self.readers(settings.number("READ_PROCESSES"), limits)
        let pdfReaders = self.pdfReaders(limits)
        let readPage = ReadPage(readers, pdf: pdfReaders)
        let policy = RetryPolicy(
            base: .seconds(settings.number("JOBS_RETRY_BASE")), attempts: settings.number("JOBS_ATTEMPTS"))
        let (conninfo, schema, log) = (options.conninfo, schema, log)
        let keeping = SourceRetention(settings)
        let (turns, quotas) = (HostRateLimiter(settings), Quotas(settings))
        let delays = crawlDelays(fetchSettings, fetcher, fetches)
        let revisits = RecheckScheduler(RecheckScheduler.Schedule(settings), conninfo: conninfo, prepare: schema.check)
        let companions = BackgroundServices(others + [BackgroundService(run: revisits.run, stop: revisits.stop)])
        let runner = Runner(options) {
            let resolvePage = ResolvePage(fetcher, fetches)
            let job = SaveJob(
                Database(conninfo, prepare: schema.check),
                resolve: { request throws(SaveError) in try resolvePage(request) }, readPage: readPage,
                keeping: keeping, turns: turns, delays: delays, quotas: quotas, policy: policy, log: log)
            return { job.work(on: $0) }
        } report: { event in
            switch event {
            case .databaseUnavailable(let reason): log(.databaseUnavailable(reason: reason))
            case .hanging(let job): log(.jobHangs(link: job.linkID, job: job.id))
            case .stopping:
                log(.jobsStopping)
                companions.stop()
            }
        }
        // One more, and less patience: somebody waits, and jobs may keep theirs for as long as a page may take.
        var limitsAtDesk = limits
        limitsAtDesk.seconds = min(limits.seconds, 3)
        let readerAtDesk = self.readers(1, limitsAtDesk)
        let desk = ResolutionWorker(
            conninfo: conninfo, prepare: schema.check, settings: fetchSettings, readPage: ReadPage(readerAtDesk))
        log(.jobsReady(parallel: options.parallel))
        runner.runUntilSignal {
            desk.start()
            companions.start()
        }
        desk.stop()
        companions.waitForEnd()
        readers.stop()
        pdfReaders?.stop()
        readerAtDesk.stop()
    }

    /// What sites want us to wait; nobody is asked where politeness is off.
    private func crawlDelays(_ fetching: FetchSettings, _ fetcher: Fetcher, _ shared: SharedFetches) -> CrawlDelays {
        guard settings.text("RATE_LIMITS") == "on" else { return .none }
        return CrawlDelays(userAgent: fetching.userAgent) { request in shared(request, by: fetcher.result) }
    }

    /// - Parameter count: processes that read pages; 0: one a processor.
    private func readers(_ count: Int, _ limits: ReaderLimits) -> ReaderPool {
        var options = ReaderPool.Options(executable: OwnProgram.executable, arguments: ["read-pages"])
        options.limits = limits
        options.count = count > 0 ? count : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return ReaderPool(options) { [log] in log(.readersUnfiltered) }
    }

    /// One process for PDF files; nil where its program is not there.
    private func pdfReaders(_ limits: ReaderLimits) -> ReaderPool? {
        guard let program = ReaderPool.Options.pdfExecutable else {
            log(.noPDFReader)
            return nil
        }
        var options = ReaderPool.Options(executable: program)
        options.limits = limits
        return ReaderPool(options) { [log] in log(.readersUnfiltered) }
    }

    /// A database that does not answer yet is waited for by the runner, which checks each connection again.
    private func checkSchema(_ conninfo: String) throws {
        var connection: Connection
        do { connection = try Connection(conninfo) } catch { return }
        do {
            try schema.check(&connection)
        } catch .unavailable(let reason) {
            throw OtherSchema(description: reason)
        }
    }
}
