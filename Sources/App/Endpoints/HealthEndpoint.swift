import HTTP
import JSON
import Neighbours
import Postgres
import Schema

/// Answers `/health`: 200 when the database answers and has the schema version that this version of Lectern requires, else 503.
struct HealthEndpoint {
    let database: RetryingDatabase

    /// Clients of linkding send their token and look at the version first.
    func respond(to request: Request) -> Response {
        let isLinkding = request.headers["authorization"]?.lowercased().hasPrefix("token ") == true
        let version = isLinkding ? #","version":"\#(Linkding.version)""# : ""
        do {
            try database.checkSchema()
            return Response(
                status: 200, json: #"{"status":"ok","schema":"\#(database.schema)"\#(version)}"#,
                headers: ["cache-control": "no-store"])
        } catch {
            return Self.unavailable(Self.reason(for: error))
        }
    }

    /// The reason that clients see: a wrong schema version is named, any other cause is not.
    static func reason(for error: PostgresError) -> String {
        if case .unavailable(let reason) = error, reason.hasPrefix("schema version") { return reason }
        return "the database does not answer"
    }

    private static func unavailable(_ reason: String) -> Response {
        Response(
            status: 503,
            json: JSONText.object([("status", JSONText.string("unavailable")), ("reason", JSONText.string(reason))]),
            headers: ["cache-control": "no-store", "retry-after": "1"])
    }
}
