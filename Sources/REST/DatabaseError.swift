import HTTP
import Postgres

/// PostgreSQL's refusal as the client sees it: its own code and words, PostgREST's status.
public struct DatabaseError: APIError {
    public let status: Int
    public let code: String
    public let message: String
    public let details: String?
    public let hint: String?

    /// - Parameter isAnonymous: nobody is signed in, so that a missing right means "sign in" (401) and not "no" (403).
    public init(_ refusal: PostgresError.Refusal, isAnonymous: Bool) {
        code = Self.code(refusal)
        status = Self.status(refusal.sqlState, isAnonymous: isAnonymous)
        message = refusal.sqlState.hasPrefix("LR1") ? Self.promise(refusal) : refusal.message
        details = refusal.sqlState == "LR116" ? refusal.detail.map { "The result contains \($0) rows" } : refusal.detail
        hint = refusal.hint
    }

    private static func code(_ refusal: PostgresError.Refusal) -> String {
        switch refusal.sqlState {
        case "LR116": "PGRST116"
        case "LR124": "PGRST124"
        // The body was JSON enough for its outline but not for PostgreSQL.
        case "22P02" where refusal.message.hasSuffix("for type json"): "PGRST102"
        default: refusal.sqlState
        }
    }

    private static func promise(_ refusal: PostgresError.Refusal) -> String {
        refusal.sqlState == "LR116"
            ? QueryError.notOneRow(count: 0).message : QueryError.tooManyAffected(count: 0, most: 0).message
    }

    /// https://docs.postgrest.org/en/stable/references/errors.html#status-codes, for refusals a request caused.
    private static func status(_ sqlState: String, isAnonymous: Bool) -> Int {
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

    /// Where the cause of a refusal lies.
    public enum Cause: Sendable {
        case request
        /// The server is short of something just now: connections, memory, disk.
        case shortage
        /// The server's own, whose words are for its log and not for a client.
        case fault
    }

    public static func cause(of sqlState: String) -> Cause {
        // A statement that ran too long was asked for.
        if sqlState == "57014" { return .request }
        switch sqlState.prefix(2) {
        case "08", "53", "57": return .shortage
        case "XX", "58", "F0": return .fault
        default: return .request
        }
    }
}
