import Postgres
import Settings

/// The admin's database connection, from `LECTERN_DATABASE_URL`.
enum AdminDatabase {
    static func connection() throws -> Connection {
        do {
            return try Connection(try conninfo())
        } catch let error as PostgresError {
            throw CommandError("cannot connect to the database: \(message(for: error))")
        }
    }

    /// Runs statements in one transaction.
    static func run(_ batch: [SQL]) throws -> [Rows] {
        var connection = try connection()
        return try describingErrors { try connection.transaction(as: identity, batch) }
    }

    static func run(_ statement: SQL) throws -> Rows { try run([statement])[0] }

    /// Turns a PostgreSQL error into a one-line command error.
    static func describingErrors<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as PostgresError { throw CommandError(message(for: error)) }
    }

    /// The login role itself; the audit log names it.
    static let identity = Identity(role: "none", statementTimeout: 60_000, applicationName: "lectern")

    private static func conninfo() throws -> String {
        guard let url = try Environment.withSecrets()["LECTERN_DATABASE_URL"] else {
            throw CommandError(
                "LECTERN_DATABASE_URL is not set; load lectern.env of the home: set -a; . HOME/lectern.env; set +a")
        }
        return url
    }

    static func message(for error: PostgresError) -> String {
        let text =
            switch error {
            case .unavailable(let reason), .broken(let reason): reason
            case .refused(let refusal): refusal.message
            case .nulInText: "text contains a NUL character, which PostgreSQL cannot store"
            }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
