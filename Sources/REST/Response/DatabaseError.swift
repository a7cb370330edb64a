import HTTP
import Postgres

/// An error of PostgreSQL as the client sees it: PostgreSQL's code and message with the status that PostgREST uses.
public struct DatabaseError: APIError {
    public let status: Int
    public let code: String
    public let message: String
    public let details: String?
    public let hint: String?

    /// - Parameter isAnonymous: whether nobody is signed in; a missing privilege is then 401 instead of 403.
    public init(_ refusal: PostgresError.Refusal, isAnonymous: Bool) {
        let refusal = Self.readOnlyView(refusal).map(Self.denied) ?? refusal
        code = Self.code(refusal)
        status = Self.status(refusal.sqlState, isAnonymous: isAnonymous)
        message =
            refusal.sqlState.hasPrefix("LR1")
            ? Self.violatedPreference(refusal) : Self.sentence(refusal) ?? refusal.message
        details = refusal.sqlState == "LR116" ? refusal.detail.map { "The result contains \($0) rows" } : refusal.detail
        hint = refusal.hint
    }

    /// The view that a statement cannot write to; nil for another error.
    ///
    /// PostgreSQL rewrites the statement before it checks privileges. So a view whose rows or columns it cannot trace
    /// to one table is refused for that reason, with a hint for the author of the view.
    private static func readOnlyView(_ refusal: PostgresError.Refusal) -> Substring? {
        let starts: [String]
        switch refusal.sqlState {
        case "55000": starts = ["cannot insert into view ", "cannot update view ", "cannot delete from view "]
        case "0A000": starts = ["cannot insert into column ", "cannot update column "]
        default: return nil
        }
        guard starts.contains(where: refusal.message.hasPrefix), refusal.message.hasSuffix("\"") else { return nil }
        return refusal.message.dropLast().split(separator: "\"").last
    }

    /// The error of another read-only relation.
    private static func denied(_ view: Substring) -> PostgresError.Refusal {
        PostgresError.Refusal(sqlState: "42501", message: "permission denied for view \(view)")
    }

    private static func code(_ refusal: PostgresError.Refusal) -> String {
        switch refusal.sqlState {
        case "LR116": "PGRST116"
        case "LR124": "PGRST124"
        // The outline of the body could be read, but PostgreSQL rejects the JSON.
        case "22P02" where refusal.message.hasSuffix("for type json"): "PGRST102"
        default: refusal.sqlState
        }
    }

    /// What a client is told in place of PostgreSQL's message about a text.
    private static func sentence(_ refusal: PostgresError.Refusal) -> String? {
        switch refusal.sqlState {
        case "23514": refusal.constraint.flatMap { TextLimits.byConstraint[$0] }
        case "22P05" where refusal.detail?.hasPrefix("\\u0000") == true: "Text must not contain a NUL character"
        default: nil
        }
    }

    /// The message for a violated `Accept` or `max-affected`, which the functions of schema `rest` raise.
    private static func violatedPreference(_ refusal: PostgresError.Refusal) -> String {
        refusal.sqlState == "LR116"
            ? QueryError.notOneRow(count: 0).message : QueryError.tooManyAffected(count: 0, limit: 0).message
    }

    /// The status of an error that a request caused, see
    /// https://docs.postgrest.org/en/stable/references/errors.html#status-codes.
    private static func status(_ sqlState: String, isAnonymous: Bool) -> Int {
        if let status = statusOfFunction(sqlState) { return status }
        switch sqlState {
        case "LR116": return 406
        case "42501": return isAnonymous ? 401 : 403
        case "23503", "23505": return 409
        case "25006": return 405
        case "42883", "42P01": return 404
        case "57014": return 400
        case "40001", "40P01": return 409
        default: break
        }
        switch sqlState.prefix(2) {
        case "0L", "0P", "28": return 403
        // 54: a value too large for an index, a statement too complex.
        case "54": return 413
        default: return 400
        }
    }

    /// The status in an error of Lectern's own functions: they raise `LT` and the status, such as LT410.
    private static func statusOfFunction(_ sqlState: String) -> Int? {
        guard sqlState.hasPrefix("LT"), let status = Int(sqlState.dropFirst(2)) else { return nil }
        return (400...499).contains(status) ? status : nil
    }

    /// The party that caused an error.
    public enum Cause: Sendable {
        case request
        /// The server lacks a resource: connections, memory, disk space.
        case shortage
        /// A fault of the server. Its message is logged and not sent to the client.
        case fault
    }

    public static func cause(of sqlState: String) -> Cause {
        switch sqlState {
        // Statement timeout: the request asked for too much work.
        case "57014": return .request
        // Lock timeout: other writes of the user take long.
        case "55P03": return .shortage
        default: break
        }
        switch sqlState.prefix(2) {
        case "08", "53", "57": return .shortage
        case "XX", "58", "F0": return .fault
        default: return .request
        }
    }
}
