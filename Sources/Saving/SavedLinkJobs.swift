import HTTPFetch
import Jobs
import Settings
import Telemetry

/// The jobs process: one runner, one fetcher, threads that each carry one saved link at a time.
public struct SavedLinkJobs {
    /// What settings must be for the jobs to start, beyond what the table of settings says.
    public static let rules = FetchSettings.settingRules

    private let settings: Settings
    private let log: Log

    public init(_ settings: Settings, log: Log) {
        self.settings = settings
        self.log = log
    }

    /// Works until SIGTERM or SIGINT.
    public func run() throws {
        var options = Runner.Options(conninfo: try settings.required("JOBS_DATABASE"))
        options.parallel = settings.number("JOBS_PARALLEL")
        options.lease = settings.number("JOBS_LEASE")
        options.drain = settings.number("DRAIN_TIMEOUT")
        let fetcher = Fetcher(try FetchSettings(settings))
        // What the fetcher lets through is read too.
        let readPage = ReadPage(sourceBytes: settings.number("FETCH_INFLATED_LIMIT"))
        let policy = RetryPolicy(
            base: .seconds(settings.number("JOBS_RETRY_BASE")), attempts: settings.number("JOBS_ATTEMPTS"))
        let (conninfo, runnerName, log) = (options.conninfo, Runner.newName(), log)
        let runner = Runner(options, name: runnerName) {
            let job = SaveJob(conninfo: conninfo, fetcher: fetcher, readPage: readPage, policy: policy, runner: runnerName, log: log)
            return { job.work(on: $0) }
        } report: { event in
            switch event {
            case .databaseUnavailable(let reason): log(.databaseUnavailable(reason: reason))
            case .stopping: log(.jobsStopping)
            }
        }
        log(.jobsReady(parallel: options.parallel))
        runner.runUntilSignal()
    }
}
