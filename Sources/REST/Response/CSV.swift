/// Comma-separated values (RFC 4180), quoted only where necessary.
enum CSV {
    /// The values separated by commas and ended by a line feed. `rest.csv_line` does the same in SQL.
    static func line(_ values: [String]) -> String {
        values.map { value in
            let needsQuotes = value.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
            return needsQuotes ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
        }.joined(separator: ",") + "\n"
    }
}
