import HTTP
import Postgres
import REST

/// When the client did what it asks for now, told by clients that save their writes while they are offline.
///
/// A write that carries it changes no row on which a newer action of a client has been, and one that is sent twice
/// changes nothing the second time; triggers decide, row by row. Clocks may be wrong: what counts is how long before
/// sending the action was.
struct ClientAction {
    /// The client's time of the action, ISO 8601.
    private let actedAt: String
    /// The client's clock when it sent the request; the action counts as it is told when absent.
    private let sentAt: String?

    static let actedAtHeader = "x-lectern-acted-at"
    static let sentAtHeader = "x-lectern-sent-at"
    /// Of the answer: how many rows stayed as they were because a newer action had been on them.
    static let supersededHeader = "x-lectern-superseded"

    /// Nil for a request that does not tell.
    init?(_ headers: Headers) throws(QueryError) {
        guard let actedAt = headers[Self.actedAtHeader] else { return nil }
        self.actedAt = try Self.checked(actedAt, Self.actedAtHeader)
        sentAt = try headers[Self.sentAtHeader].map { sent throws(QueryError) in try Self.checked(sent, Self.sentAtHeader) }
    }

    var settings: [Identity.Setting] {
        [.init("request.acted_at", actedAt)] + (sentAt.map { [.init("request.sent_at", $0)] } ?? [])
    }

    /// What comes before the write, for links and their trash: the newest action decides, in whichever order they arrive.
    /// A link that was deleted before it was changed comes back; one that is deleted again stays away from changes made
    /// between the two.
    func preparation(for plan: Plan) -> SQL? {
        guard plan.reading.table.name == "links", let id = plan.reading.onlyID else { return nil }
        switch plan.action {
        case .update: return "select rest.restore_if_newer(\(id)::uuid)"
        case .delete: return "select rest.confirm_deletion(\(id)::uuid)"
        default: return nil
        }
    }

    /// PostgreSQL reads the time; `now` and the like, which it would take too, are no times of a client.
    private static func checked(_ text: String, _ header: String) throws(QueryError) -> String {
        guard text.utf8.count <= 40, let first = text.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { throw .malformed(part: "\(header) header (\(text))", details: "expected a time such as 2026-01-31T12:00:00.000Z") }
        return text
    }
}
