import Confinement
import HTTPFetch
import Import
import Jobs
import Postgres
import Processes
import ReaderProcess
import Schema
import Settings
import Telemetry
import Threads

/// The jobs process: one runner, one fetcher, and worker threads that each work on one saved link at a time.
public struct SavedLinkJobs {
    /// Rules for settings that the table of settings does not express.
    public static let rules = FetchSettings.settingRules

    /// The connections of the process, which its services share.
    public let database: Database
    private let conninfo: String
    private let settings: Settings
    private let schema: SchemaVersion
    private let log: Log

    /// - Parameter schema: the schema the database must have.
    /// - Throws: when LECTERN_JOBS_DATABASE is missing.
    public init(_ settings: Settings, schema: SchemaVersion, log: Log) throws {
        conninfo = try settings.required("JOBS_DATABASE")
        database = Database(conninfo, maxAge: .seconds(60), prepare: schema.check)
        self.settings = settings
        self.schema = schema
        self.log = log
    }

    /// The database has another schema than this version of Lectern requires.
    public struct OtherSchema: Error, CustomStringConvertible {
        public let description: String
    }

    /// Works until SIGTERM or SIGINT.
    ///
    /// - Parameter others: further services of this process.
    /// - Throws: before the first job is leased, when settings are missing or invalid, or ``OtherSchema``.
    public func run(beside others: [BackgroundService] = []) throws {
        try checkSchema()
        var options = Runner.Options(database)
        options.parallel = settings.number("JOBS_PARALLEL")
        options.lease = settings.number("JOBS_LEASE")
        options.drain = settings.number("DRAIN_TIMEOUT")
        let fetchSettings = try FetchSettings(settings)
        let (fetcher, fetches) = (Fetcher(fetchSettings), SharedFetches())
        // Pages and articles have sizes of megabytes. Freed memory is returned to the system.
        AllocatorTuning.returnLargeBlocks()
        let limits = ReaderLimits(settings)
        let readers = self.readers(settings.number("READ_PROCESSES"), limits)
        let pdfReaders = self.pdfReaders(limits)
        let readPage = ReadPage(readers, pdf: pdfReaders)
        let policy = RetryPolicy(
            base: .seconds(settings.number("JOBS_RETRY_BASE")), attempts: settings.number("JOBS_ATTEMPTS"))
        let (database, log) = (database, log)
        let documents = settings.text("DOCUMENTS_DIR")
        let retention = SourceRetention(settings)
        let (hosts, quotas) = (HostRateLimiter(settings), Quotas(settings))
        let crawlDelays = crawlDelays(fetchSettings, fetcher, fetches)
        let feeds = FeedFetcher(fetchSettings, settings, hosts)
        let (week, hour, second, quarterOfASecond) = (604_800_000, 3_600_000, 1_000, 250)
        let rounds: [(pause: Int, round: RepeatedTask.Round?)] = [
            (hour, RecheckScheduler(settings).round), (hour, PurgeScheduler(settings).round),
            (hour, DigestScheduler(settings).round),
            (quarterOfASecond, SearchIndexer().round), (quarterOfASecond, MarkdownMaker().round),
            (quarterOfASecond, WebhookSender(fetchSettings, policy: policy).round),
            (second, feeds.round), (week, SearchReindexer().round),
        ]
        let repeated = rounds.map { RepeatedTask(database, pause: $0.pause, round: $0.round) }
        let imports = imports(ReadDocument(folder: "", readPage, limits))
        let services = BackgroundServices(
            others + [imports] + repeated.map { BackgroundService(run: $0.run, stop: $0.stop) })
        let runner = Runner(options) {
            let resolvePage = ResolvePage(fetcher, fetches)
            let saveLink = SaveLink(
                database, resolve: { request throws(SaveError) in try resolvePage(request) }, readPage: readPage,
                documents: documents, limits: limits, retention: retention, hosts: hosts, crawlDelays: crawlDelays,
                quotas: quotas, policy: policy, log: log)
            return { saveLink($0) }
        } report: { event in
            switch event {
            case .databaseUnavailable(let reason): log(.databaseUnavailable(reason: reason))
            case .hanging(let job): log(.jobHangs(link: job.linkID, job: job.id))
            case .stopping:
                log(.jobsStopping)
                services.stop()
            }
        }
        // Resolutions have reader processes of their own, with a shorter time limit: a user waits for them, and jobs
        // may occupy the other processes for as long as a page may take.
        var resolutionLimits = limits
        resolutionLimits.seconds = min(limits.seconds, 3)
        let resolutionReaders = self.readers(ResolutionWorker.parallelReads, resolutionLimits)
        let resolutions = ResolutionWorker(
            database, settings: fetchSettings, readPage: ReadPage(resolutionReaders))
        log(.jobsReady(parallel: options.parallel))
        runner.runUntilSignal {
            resolutions.start()
            services.start()
        }
        resolutions.stop()
        services.waitForEnd()
        readers.stop()
        pdfReaders?.stop()
        resolutionReaders.stop()
    }

    /// Reads imported files.
    private func imports(_ readDocument: ReadDocument) -> BackgroundService {
        var options = ImportWorker.Options(
            database, imports: settings.text("IMPORTS_DIR"), documents: settings.text("DOCUMENTS_DIR"))
        options.linkQuota = settings.number("LINK_QUOTA")
        options.storageQuota = settings.number("STORAGE_QUOTA")
        options.lease = settings.number("JOBS_LEASE")
        options.retryBase = settings.number("JOBS_RETRY_BASE")
        let worker = ImportWorker(options) {
            readDocument.check($0, $1, name: $2)
        } report: { [log] event in
            switch event {
            case .databaseUnavailable(let error): log(.databaseUnavailable(reason: String(describing: error)))
            case .read(let file, let outcome): log(.importRead(import: file, outcome: outcome))
            case .putOff(let file, let attempt, let why, let seconds):
                log(.importPutOff(import: file, attempt: attempt, why: why, seconds: seconds))
            case .failed(let file, let why): log(.importFailed(import: file, why: why))
            }
        }
        return BackgroundService(run: worker.run, stop: worker.stop)
    }

    /// The crawl delays of sites; none where rate limits are off.
    private func crawlDelays(_ fetching: FetchSettings, _ fetcher: Fetcher, _ shared: SharedFetches) -> CrawlDelayCache
    {
        guard settings.text("RATE_LIMITS") == "on" else { return .none }
        return CrawlDelayCache(userAgent: fetching.userAgent) { request in shared(request, by: fetcher.result) }
    }

    /// - Parameter count: the number of processes that read pages; 0: one for each processor.
    private func readers(_ count: Int, _ limits: ReaderLimits) -> ReaderPool {
        var options = ReaderPool.Options(executable: OwnProgram.executable, arguments: ["read-pages"])
        options.limits = limits
        options.count = count > 0 ? count : Processors.count
        return ReaderPool(options) { [log] in log(.readersUnfiltered) }
    }

    /// One PDF file at a time; nil where the program does not exist.
    private func pdfReaders(_ limits: ReaderLimits) -> ReaderPool? {
        guard let options = ReaderPool.Options.pdf(limits) else {
            log(.noPDFReader)
            return nil
        }
        return ReaderPool(options) { [log] in log(.readersUnfiltered) }
    }

    /// Checks the schema of a database that answers. The runner waits for one that does not answer yet, and checks each
    /// connection.
    private func checkSchema() throws {
        var connection: Connection
        do { connection = try Connection(conninfo) } catch { return }
        do {
            try schema.check(&connection)
        } catch .unavailable(let reason) {
            throw OtherSchema(description: reason)
        }
    }
}
