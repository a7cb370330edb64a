import HTML
import Postgres

/// Stores the Markdown of articles that got their content without a job of their link, such as restored articles and
/// those from before an upgrade; see sql/schema/markdown_files.sql.
struct MarkdownMaker: Sendable {
    /// The number of articles that are read at once.
    private static let batch = 5

    /// One round, run every quarter of a second.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in try makeWaiting(&connection, hasToStop) }
    }

    /// Makes the Markdown of all articles that have none.
    ///
    /// - Returns: how many were made.
    @discardableResult func makeWaiting(
        _ connection: inout Connection, _ hasToStop: () -> Bool
    ) throws(PostgresError) -> Int {
        var (total, stored) = (0, 0)
        repeat {
            stored = 0
            let rows = try connection.query(
                "select link_id, revision, content from private.articles_without_markdown(\(Self.batch)::int)")
            for row in 0..<rows.count {
                let markdown = Markdown.render(article: rows.text(row, 2) ?? "")
                let result = try connection.query(
                    """
                    select private.store_markdown(
                        \(rows.text(row, 0))::uuid, \(rows.int(row, 1))::int, \(markdown))
                    """)
                if result.bool(0, 0) == true { stored += 1 }
            }
            total += stored
            // Nothing can be stored while the account of the articles is being deleted.
        } while stored > 0 && !hasToStop()
        return total
    }
}
