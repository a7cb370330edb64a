import MarkdownFiles
import Postgres

/// Reads the links of an export one by one.
final class LinkReader {
    /// The number of the user's links, including those that the query does not find.
    let total: Int
    private let cursor: ServerCursor
    private var rows: Rows?
    private var place = 0

    /// - Parameter parts: what belongs to the links, as `private.exported_links` names it.
    init(_ request: ExportRequest, parts: String, _ connection: inout Connection) throws(PostgresError) {
        total =
            try connection.query(
                "select rows from private.personal_counts(\(request.user)::uuid, null) where name = 'public.links'"
            ).int(0, 0) ?? 0
        cursor = try ServerCursor(
            &connection, "select private.exported_links(\(request.user)::uuid, \(request.query?.tree)::jsonb, \(parts))"
        )
    }

    /// The next link; nil after the last.
    func next(_ connection: inout Connection) throws(PostgresError) -> ExportedLink? {
        if rows.map({ place == $0.count }) ?? true {
            rows = try cursor.next(&connection)
            place = 0
        }
        guard let rows else { return nil }
        guard let link = ExportedLink(rows, place) else { throw .broken(reason: "a link that is not JSON") }
        place += 1
        return link
    }
}
