import ArgumentParser
import Postgres

/// A query printed as a table for people or as JSON for programs.
struct Listing {
    /// The columns of the table; JSON has all columns of the query.
    var shown: [String]
    var query: SQL
    /// Printed instead of an empty table.
    var ifEmpty: String

    func print(json: Bool) throws {
        if json {
            let rows = try AdminDatabase.run(
                "select coalesce(json_agg(row_to_json(t)), '[]') from (" + query + ") as t")
            return Swift.print(rows.text(0, 0) ?? "[]")
        }
        let columns = shown.map { SQL.name($0) }.joined(separator: ", ")
        let rows = try AdminDatabase.run("select " + columns + " from (" + query + ") as t")
        guard rows.count > 0 else { return Swift.print(ifEmpty) }
        let lines = (0..<rows.count).map { row in shown.indices.map { Self.plain(rows.text(row, $0) ?? "") } }
        for line in Table.lines([shown.map { $0.replacing("_", with: " ").uppercased() }] + lines) { Swift.print(line) }
    }

    /// Replaces control characters, so that stored text cannot send escape sequences to the terminal.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "?"
                    default: scalar
                    }
                }))
    }
}

/// Lays out columns of text.
enum Table {
    /// One line; every cell but the last is padded to twelve characters.
    static func line(_ cells: [String]) -> String {
        cells.enumerated().map { index, cell in
            index == cells.count - 1 ? cell : cell + String(repeating: " ", count: max(1, 12 - cell.count))
        }.joined()
    }

    /// Lines whose columns are as wide as their widest cell.
    static func lines(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { index in
                index == row.count - 1
                    ? row[index] : row[index] + String(repeating: " ", count: widths[index] - row[index].count + 2)
            }.joined()
        }
    }
}
