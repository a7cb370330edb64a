import Auth
import Crypto
import FastCGI
import Postgres
import REST
import Schema
import Settings
import Telemetry
import Threads

/// What the threads of a worker share. Every part is immutable or locked.
public final class Services: Sendable {
    public let log: Log
    /// The worker's membership in a pool; nil for a CGI program.
    public let membership: PoolMembership?
    let accountRules: Accounts.Rules
    let keys: APIKeys
    let metrics: Metrics
    let proxyWatch: UntrustedProxyWatch
    let catalog = CatalogCache()
    /// The documents of feeds and catalogs.
    let documents = DocumentCache()
    /// Limits the threads of this process that wait for a server function.
    let functionLimiter: CountingSemaphore
    let functionLimits: ServerFunctions.Limits
    let clientLimits: ClientLimits
    let tokenOwners = TokenOwners()

    /// libpq's keyword string or URI.
    let conninfo: String
    /// The schema the database must have.
    let schema: SchemaVersion
    /// Milliseconds one statement of a request may run.
    let statementTimeout: Int
    let responseLimit: ResponseLimit
    /// Limits as the settings that functions of sql/schema read: the quotas of one user, and the days in the trash. Those
    /// without a limit are left out.
    let limits: [Identity.Setting]
    static let linkQuotaSetting = "lectern.link_quota"
    let linkQuota: LinkQuotaChecks
    let publicURL: String
    let configBuckets: [String]
    let metricsToken: String

    public init(_ settings: Settings, log: Log, membership: PoolMembership?) throws {
        self.log = log
        self.membership = membership
        accountRules = try Accounts.Rules(settings)
        keys = accountRules.keys.apiKeys
        metrics = Metrics(membership)
        proxyWatch = UntrustedProxyWatch(trustedProxies: settings.text("TRUSTED_PROXIES"))
        conninfo = try settings.required("DATABASE")
        schema = try SchemaVersion(ofFilesIn: settings.text("SQL_DIR"))
        statementTimeout = settings.number("STATEMENT_TIMEOUT")
        responseLimit = ResponseLimit(bytes: settings.number("RESPONSE_LIMIT"))
        let names = [
            (Self.linkQuotaSetting, "LINK_QUOTA"), ("lectern.storage_quota", "STORAGE_QUOTA"),
            ("lectern.trash_days", "TRASH_DAYS"),
        ]
        limits = names.compactMap { name, setting in
            settings.number(setting) > 0 ? .init(name, settings.text(setting)) : nil
        }
        linkQuota = LinkQuotaChecks(quota: settings.number("LINK_QUOTA"))
        publicURL = settings.text("PUBLIC_URL")
        configBuckets = settings.list("CONFIG_BUCKETS")
        metricsToken = settings.text("METRICS_TOKEN")
        functionLimiter = CountingSemaphore(max(1, settings.number("THREADS") / 2))
        var functionLimits = ServerFunctions.Limits()
        if settings.text("RATE_LIMITS") == "off" {
            (functionLimits.pendingPerUser, functionLimits.perUserAndMinute) = (0, 0)
        }
        self.functionLimits = functionLimits
        let workers = membership == nil ? 1 : SupervisorOptions.workers(settings)
        clientLimits = ClientLimits(
            settings, threads: workers * settings.number("THREADS"), processors: Processors.count)
    }

    /// Starts to watch the schema, so that the catalog stays current while the worker runs.
    public func watchSchema() { SchemaWatch(conninfo: conninfo, catalog: catalog).start() }
}
