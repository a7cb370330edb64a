import Auth
import Crypto
import FastCGI
import REST
import Settings
import Telemetry

/// What the threads of a worker share; immutable, or locked.
public final class Services: Sendable {
    public let log: Log
    /// The worker's place in its pool; nil outside one.
    public let membership: PoolMembership?
    let tokenKey: TokenKey
    let keys: APIKeys
    let hasher: PasswordHasher
    let metrics: Metrics
    let catalog = CatalogCache()
    let waitingPlaces: WaitingPlaces
    let functionLimits: ServerFunctions.Limits

    let conninfo: String
    let statementTimeout: Int
    let publicURL: String
    let isSignupOpen: Bool
    let tokenLifetime: Int
    let configBuckets: [String]
    let metricsToken: String

    public init(_ settings: Settings, log: Log, membership: PoolMembership?) throws(Settings.Invalid) {
        self.log = log
        self.membership = membership
        tokenKey = TokenKey(secret: try settings.required("JWT_SECRET"))
        keys = APIKeys(tokenKey)
        hasher = PasswordHasher()
        metrics = Metrics(membership)
        conninfo = try settings.required("DATABASE")
        statementTimeout = settings.number("STATEMENT_TIMEOUT")
        publicURL = settings.text("PUBLIC_URL")
        isSignupOpen = settings.text("SIGNUP") == "open"
        tokenLifetime = settings.number("TOKEN_LIFETIME")
        configBuckets = settings.list("CONFIG_BUCKETS")
        metricsToken = settings.text("METRICS_TOKEN")
        waitingPlaces = WaitingPlaces(max(1, settings.number("THREADS") / 2))
        var limits = ServerFunctions.Limits()
        if settings.text("RATE_LIMITS") == "off" { (limits.waitingOfUser, limits.ofUserAMinute) = (0, 0) }
        functionLimits = limits
    }

    /// Keeps the catalog true while the worker runs.
    public func watchSchema() { SchemaWatch(conninfo: conninfo, catalog: catalog).start() }
}
