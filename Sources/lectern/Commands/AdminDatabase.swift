import Postgres
import Settings

/// The admin's connection, as the admin's shell has it.
enum AdminDatabase {
    static func connection() throws -> Connection {
        do {
            return try Connection(try conninfo())
        } catch let error as PostgresError {
            throw CommandError("the database does not answer: \(words(for: error))")
        }
    }

    /// Runs statements in one transaction.
    static func run(_ batch: [SQL]) throws -> [Rows] {
        var connection = try connection()
        return try telling { try connection.transaction(as: identity, batch) }
    }

    static func run(_ statement: SQL) throws -> Rows { try run([statement])[0] }

    /// Says in one line what the database refused.
    static func telling<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as PostgresError { throw CommandError(words(for: error)) }
    }

    /// As who the admin is; the audit log names the login.
    static let identity = Identity(role: "none", statementTimeout: 60_000, applicationName: "lectern")

    private static func conninfo() throws -> String {
        guard let url = Environment.all["LECTERN_DATABASE_URL"] else {
            throw CommandError("LECTERN_DATABASE_URL is missing: read it from lectern.env in the home")
        }
        return url
    }

    static func words(for error: PostgresError) -> String {
        let words =
            switch error {
            case .unavailable(let reason), .broken(let reason): reason
            case .refused(let refusal): refusal.message
            case .nulInText: "a NUL character is no text"
            }
        return words.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
