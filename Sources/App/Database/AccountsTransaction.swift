import Auth
import HTTP
import Postgres

/// Runs the statements of the auth API as `auth_service`, with the settings that the audit log records of the request.
struct AccountsTransaction: TransactionRunner {
    private let database: RetryingDatabase
    private let identity: Identity

    /// Milliseconds one statement may run: deleting an account with a hundred thousand links is one statement. nginx
    /// waits a minute for a response.
    private static let statementTimeout = 50_000

    init(
        _ caller: Caller, _ route: AuthRoute, _ request: Request, _ origin: Accounts.RequestOrigin,
        database: RetryingDatabase
    ) {
        self.database = database
        identity = Identity(
            role: "auth_service", statementTimeout: Self.statementTimeout, applicationName: "lectern \(request.id)",
            settings: [
                .init("lectern.actor", Self.actor(caller, route)), .init("lectern.address", origin.address ?? ""),
                .init("lectern.user_agent", origin.userAgent ?? ""),
            ])
    }

    func run(_ batch: [SQL]) throws(PostgresError) -> [Rows] {
        try database.transaction(as: identity, batch, isRead: false)
    }

    /// Who acts, in the words of the audit log.
    static func actor(_ caller: Caller, _ route: AuthRoute) -> String {
        switch (caller.role, route) {
        case (.serviceRole, _): "service key"
        // Eight digits tell admins apart. The whole id would outlive its account in other users' logs.
        case (.authenticated, .admin): "admin \((caller.userID ?? "").prefix(8))"
        case (.authenticated, _): "user"
        case (.anon, _): "visitor"
        }
    }
}
