/// The role, claims and settings of a transaction. They are transaction-local, so they end with the transaction.
public struct Identity: Sendable, Equatable {
    /// A role of which the login role is a member; `none` keeps the login role.
    public var role: String
    /// The verified claims as JSON text, which `auth.uid()` and similar functions read; empty without claims.
    public var claims: String
    /// Milliseconds one statement may run.
    public var statementTimeout: Int
    /// Shown in `pg_stat_activity.application_name` and PostgreSQL's log; contains the request's id.
    public var applicationName: String
    /// Whether PostgreSQL refuses writes in the transaction.
    public var isReadOnly: Bool
    /// Values for triggers and functions, which read them with `current_setting`. The names never come from clients.
    public var settings: [Setting]
    /// A call that takes an advisory lock of the transaction. It runs after the settings and before the statements, which
    /// then see what the former holders of the lock have written. An expression without binds; nil: none.
    public var lock: SQL?

    public struct Setting: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        role: String, claims: String = "", statementTimeout: Int = 5_000, applicationName: String = "lectern",
        isReadOnly: Bool = false, settings: [Setting] = [], lock: SQL? = nil
    ) {
        self.role = role
        self.claims = claims
        self.statementTimeout = statementTimeout
        self.applicationName = applicationName
        self.isReadOnly = isReadOnly
        self.settings = settings
        self.lock = lock
    }
}
