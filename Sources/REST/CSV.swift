/// Comma-separated values (RFC 4180), quoted only where they must be.
enum CSV {
    /// The values, separated and ended by a line break; `rest.csv_line` is its twin in SQL.
    static func line(_ values: [String]) -> String {
        values.map { value in
            let needsQuotes = value.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
            return needsQuotes ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
        }.joined(separator: ",") + "\n"
    }
}
