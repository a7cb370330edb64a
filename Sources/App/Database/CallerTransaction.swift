import Auth
import HTTP
import Postgres

/// Runs statements as the caller of one request, each batch as one transaction.
struct CallerTransaction: TransactionRunner {
    let caller: Caller
    private let database: RetryingDatabase
    private var identity: Identity
    private var tokenClaims: TokenClaims?
    /// Whether batches only read: PostgreSQL refuses writes, and a batch may be repeated after a lost connection.
    private var isRead = false

    /// - Parameter scopes: the scopes of personal API tokens that the route accepts.
    init(
        _ caller: Caller, _ request: Request, scopes: [PersonalToken.Scope], services: Services,
        database: RetryingDatabase
    ) {
        self.caller = caller
        self.database = database
        identity = Identity(
            role: caller.role.rawValue, claims: caller.claims, statementTimeout: services.statementTimeout,
            applicationName: "lectern \(request.id)", settings: services.quotas)
        if let hash = caller.tokenHash {
            let claims = TokenClaims(tokenHash: hash, scopes: scopes, address: request.remoteAddress)
            identity.claims = claims.sql
            tokenClaims = claims
        }
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

    /// The same transactions, with statements that take no longer than this.
    func limited(to time: Duration) -> Self {
        var variant = self
        let milliseconds = max(1, Int(time / .milliseconds(1)))
        variant.identity.statementTimeout = min(identity.statementTimeout, milliseconds)
        return variant
    }

    /// The same transactions, refused for personal API tokens of the scope `save`: an insert that merges would reveal
    /// and change existing links.
    var withoutSaveScope: Self {
        var variant = self
        variant.tokenClaims?.scopes.removeAll { $0 == .save }
        if let claims = variant.tokenClaims { variant.identity.claims = claims.sql }
        return variant
    }

    /// The same transactions with more settings for triggers and functions.
    func adding(_ settings: [Identity.Setting]) -> Self {
        guard !settings.isEmpty else { return self }
        var variant = self
        variant.identity.settings += settings
        return variant
    }

    // MARK: - Personal API tokens

    /// The caller with the user's id. A personal API token is looked up in a separate transaction; this is for
    /// responses that do not come from a statement run as the caller.
    func identifiedCaller() throws -> Caller {
        guard let tokenClaims else { return caller }
        let rows = try database.transaction(
            as: Identity(role: "auth_service", applicationName: identity.applicationName),
            ["select " + tokenClaims.sql],
            isRead: false)
        return try Caller(ofPersonalToken: rows[0].text(0, 0) ?? "")
    }

    /// The call that looks up a personal API token inside the transaction and returns its claims.
    private struct TokenClaims {
        var tokenHash: String
        var scopes: [PersonalToken.Scope]
        var address: String?

        var sql: SQL {
            "auth.auth_claims(decode(\(tokenHash), 'hex'), \(array: scopes.map(\.rawValue))::text[], \(address))"
        }
    }
}
