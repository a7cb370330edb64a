import HTTP
import Postgres
import REST

/// What a client saves for: nothing special, unless it tells.
enum ClientIntent {
    /// To bring in what its user saved elsewhere, which says nothing of what the user wants now: pages that are there
    /// already keep their place and their list, and get what they have not.
    case `import`

    static let header = "x-lectern-intent"
    static let setting = Identity.Setting("request.intent", "import")

    /// Nil for a request that does not tell.
    init?(_ headers: Headers) throws(QueryError) {
        guard let intent = headers[Self.header] else { return nil }
        guard intent == "import" else {
            throw .malformed(part: "\(Self.header) header (\(intent))", details: "expected import, or no such header")
        }
        self = .import
    }
}
