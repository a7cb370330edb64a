/// What can go wrong between us and PostgreSQL.
public enum PostgresError: Error, Sendable, Equatable {
    /// No server, or the connection was lost; whether the statement ran is unknown. `reason` is for logs only.
    case unavailable(reason: String)
    /// The server refused the statement; nothing of the transaction was kept.
    case refused(Refusal)
    /// A bind holds a NUL character, which PostgreSQL's text cannot.
    case nulInText
    /// A promise of ours was broken (a missing result, a wrong schema); `reason` is for logs only.
    case broken(reason: String)

    /// The server's own words on a refused statement.
    public struct Refusal: Sendable, Equatable {
        /// Five characters, see PostgreSQL's appendix A.
        public var sqlState: String
        public var message: String
        public var detail: String?
        public var hint: String?
        public var constraint: String?

        public init(
            sqlState: String, message: String, detail: String? = nil, hint: String? = nil, constraint: String? = nil
        ) {
            self.sqlState = sqlState
            self.message = message
            self.detail = detail
            self.hint = hint
            self.constraint = constraint
        }
    }
}
