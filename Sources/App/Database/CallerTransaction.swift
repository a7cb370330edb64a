import Auth
import HTTP
import Postgres

/// Runs statements as the caller of one request, each batch as one transaction.
struct CallerTransaction: TransactionRunner {
    let caller: Caller
    /// What the caller's credentials permit on the route.
    let permission: TokenPermission
    private let database: RetryingDatabase
    private(set) var identity: Identity
    /// Whether batches only read: PostgreSQL refuses writes, and a batch may be repeated after a lost connection.
    private var isRead = false

    init(
        _ caller: Caller, _ request: Request, _ permission: TokenPermission, services: Services,
        database: RetryingDatabase
    ) {
        self.caller = caller
        self.permission = permission
        self.database = database
        identity = Identity(
            role: caller.role.rawValue, claims: caller.claims, statementTimeout: services.statementTimeout,
            applicationName: "lectern \(request.id)", isReadOnly: permission == .reading, settings: services.limits)
    }

    func run(_ batch: [SQL]) throws(PostgresError) -> [Rows] {
        try database.transaction(as: identity, batch, isRead: isRead)
    }

    // MARK: - Variants

    /// The same transactions, read-only.
    var readOnly: Self {
        var variant = self
        variant.isRead = true
        variant.identity.isReadOnly = true
        return variant
    }

    /// The same transactions, which may write also where the credentials only permit reading. For statements that change
    /// no data of the user.
    var writing: Self {
        var variant = self
        variant.isRead = false
        variant.identity.isReadOnly = false
        return variant
    }

    /// The same transactions, with statements that take no longer than this.
    func limited(to time: Duration) -> Self {
        var variant = self
        let milliseconds = max(1, Int(time / .milliseconds(1)))
        variant.identity.statementTimeout = min(identity.statementTimeout, milliseconds)
        return variant
    }

    /// The same transactions, with statements that may take at least this long.
    func allowing(_ time: Duration) -> Self {
        var variant = self
        variant.identity.statementTimeout = max(identity.statementTimeout, Int(time / .milliseconds(1)))
        return variant
    }

    /// The same transactions after they have taken a lock.
    func locking(_ lock: WriteLock) -> Self {
        var variant = self
        variant.identity.lock = lock.sql
        return variant
    }

    /// The same transactions without a check of the quota of links.
    var withoutLinkQuota: Self {
        var variant = self
        variant.identity.settings.removeAll { $0.name == Services.linkQuotaSetting }
        return variant
    }

    /// The same transactions with more settings for triggers and functions.
    func adding(_ settings: [Identity.Setting]) -> Self {
        guard !settings.isEmpty else { return self }
        var variant = self
        variant.identity.settings += settings
        return variant
    }
}
