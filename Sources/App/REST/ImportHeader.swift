import HTTP
import Postgres
import REST

/// The purpose of a save, when the client names one.
enum ImportHeader {
    /// The client imports links from another service. Links that exist keep their dates and their list; only their
    /// empty columns are filled.
    case `import`

    static let header = "x-lectern-intent"
    static let setting = Identity.Setting("request.intent", "import")

    /// Nil for a request without the header.
    init?(_ headers: Headers) throws(QueryError) {
        guard let intent = headers[Self.header] else { return nil }
        guard intent == "import" else {
            throw .malformed(part: "\(Self.header) header (\(intent))", details: "expected import, or no such header")
        }
        self = .import
    }
}
