import HTTP
import Postgres
import REST

/// The time at which the user acted. Clients that store their writes while they are offline send it with each write.
///
/// Such a write does not change a row that a newer action has changed, and a repeated write changes nothing. Triggers
/// decide this row by row. A client's clock may be wrong, so the database uses the interval between the action and the
/// sending, not the absolute time.
struct ActionTime {
    /// The client's time of the action, ISO 8601.
    private let actedAt: String
    /// The client's time when it sent the request. Without it the time of the action is used as it is.
    private let sentAt: String?

    static let actedAtHeader = "x-lectern-acted-at"
    static let sentAtHeader = "x-lectern-sent-at"
    /// A header of the response: the number of rows that stayed unchanged because of a newer action.
    static let supersededHeader = "x-lectern-superseded"

    /// Nil for a request without the header.
    init?(_ headers: Headers) throws(QueryError) {
        guard let actedAt = headers[Self.actedAtHeader] else { return nil }
        self.actedAt = try Self.checked(actedAt, Self.actedAtHeader)
        sentAt = try headers[Self.sentAtHeader].map { sent throws(QueryError) in
            try Self.checked(sent, Self.sentAtHeader)
        }
    }

    var settings: [Identity.Setting] {
        [.init("request.acted_at", actedAt)] + (sentAt.map { [.init("request.sent_at", $0)] } ?? [])
    }

    /// The statement that runs before a write of one link, because the newest action decides in whichever order actions
    /// arrive. A change restores a link that was deleted before the action. A deletion of a deleted link keeps it from
    /// being restored by changes between the two deletions.
    func preparation(for plan: Plan) -> SQL? {
        guard plan.reading.table.name == "links", let id = plan.reading.onlyID else { return nil }
        switch plan.action {
        case .update: return "select rest.restore_if_newer(\(id)::uuid)"
        case .delete: return "select rest.confirm_deletion(\(id)::uuid)"
        default: return nil
        }
    }

    /// PostgreSQL parses the time. It also accepts words such as `now`, which are refused here.
    private static func checked(_ text: String, _ header: String) throws(QueryError) -> String {
        guard text.utf8.count <= 40, let first = text.utf8.first,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else {
            throw .malformed(
                part: "\(header) header (\(text))", details: "expected a time such as 2026-01-31T12:00:00.000Z")
        }
        return text
    }
}
