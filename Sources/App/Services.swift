import Auth
import Crypto
import FastCGI
import Postgres
import REST
import Settings
import Telemetry
import Threads

/// What the threads of a worker share; immutable, or locked.
public final class Services: Sendable {
    public let log: Log
    /// The worker's place in its pool; nil outside one.
    public let membership: PoolMembership?
    let accountRules: Accounts.Rules
    let keys: APIKeys
    let metrics: Metrics
    let catalog = CatalogCache()
    /// Limits the threads of this process that wait for another process, so that some remain for reading links.
    let waitingThreads: CountingSemaphore
    let functionLimits: ServerFunctions.Limits

    let conninfo: String
    let statementTimeout: Int
    /// What one user may keep, for the triggers of sql/0032_quotas.sql; empty where there is no limit.
    let quotas: [Identity.Setting]
    /// Milliseconds one statement of the accounts may run.
    let accountsTimeout = 50_000
    let publicURL: String
    let configBuckets: [String]
    let metricsToken: String

    public init(_ settings: Settings, log: Log, membership: PoolMembership?) throws(Settings.Invalid) {
        self.log = log
        self.membership = membership
        accountRules = try Accounts.Rules(settings)
        keys = accountRules.keys.apiKeys
        metrics = Metrics(membership)
        conninfo = try settings.required("DATABASE")
        statementTimeout = settings.number("STATEMENT_TIMEOUT")
        quotas = [("lectern.link_quota", "LINK_QUOTA"), ("lectern.storage_quota", "STORAGE_QUOTA")].compactMap { name, setting in
            settings.number(setting) > 0 ? .init(name, settings.text(setting)) : nil
        }
        publicURL = settings.text("PUBLIC_URL")
        configBuckets = settings.list("CONFIG_BUCKETS")
        metricsToken = settings.text("METRICS_TOKEN")
        waitingThreads = CountingSemaphore(max(1, settings.number("THREADS") / 2))
        var limits = ServerFunctions.Limits()
        if settings.text("RATE_LIMITS") == "off" { (limits.waitingOfUser, limits.ofUserAMinute) = (0, 0) }
        functionLimits = limits
    }

    /// Keeps the catalog true while the worker runs.
    public func watchSchema() { SchemaWatch(conninfo: conninfo, catalog: catalog).start() }
}
