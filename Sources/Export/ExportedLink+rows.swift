import MarkdownFiles
import Postgres

extension ExportedLink {
    /// - Parameter rows: of the cursor of `private.exported_links`.
    init?(_ rows: Rows, _ row: Int) {
        guard let json = rows.bytes(row, 0) else { return nil }
        self.init(
            json: Array(json), path: rows.bytes(row, 1).map { Array($0) }, content: rows.text(row, 2),
            savedAt: rows.int(row, 3) ?? 0, changedAt: rows.int(row, 4) ?? 0)
    }
}
