/// An error of PostgreSQL or of the connection to it.
public enum PostgresError: Error, Sendable, Equatable {
    /// There is no server, or the connection was lost; it is unknown whether the statements ran. `reason` is for logs
    /// only.
    case unavailable(reason: String)
    /// The server refused a statement and rolled the transaction back.
    case refused(Refusal)
    /// A bind contains a NUL character, which PostgreSQL's `text` cannot store.
    case nulInText
    /// The program made an error, such as expecting a row that is not there. `reason` is for logs only.
    case broken(reason: String)

    /// Whether the server has rolled the transaction back because of a concurrent one: a deadlock, or a serialization
    /// failure. The same transaction may succeed now.
    public var isConflict: Bool {
        if case .refused(let refusal) = self { ["40001", "40P01"].contains(refusal.sqlState) } else { false }
    }

    /// The server's error message for a refused statement.
    public struct Refusal: Sendable, Equatable {
        /// The SQLSTATE, five characters, see appendix A of PostgreSQL's manual.
        public var sqlState: String
        public var message: String
        public var detail: String?
        public var hint: String?
        public var constraint: String?
        /// The function in PostgreSQL's source that reported the error. Unlike the message it is never translated.
        public var reportedBy: String?

        public init(
            sqlState: String, message: String, detail: String? = nil, hint: String? = nil, constraint: String? = nil,
            reportedBy: String? = nil
        ) {
            self.sqlState = sqlState
            self.message = message
            self.detail = detail
            self.hint = hint
            self.constraint = constraint
            self.reportedBy = reportedBy
        }
    }
}
