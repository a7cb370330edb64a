import JSON

/// The columns of a row, found when a filter first needs one.
final class Row {
    private let json: [UInt8]
    private lazy var columns: [String: ArraySlice<UInt8>] = Self.columns(of: json)

    /// - Parameter json: a JSON object.
    init(_ json: [UInt8]) { self.json = json }

    /// The value of a column as JSON text.
    subscript(_ column: String) -> ArraySlice<UInt8>? { columns[column] }

    private static func columns(of json: [UInt8]) -> [String: ArraySlice<UInt8>] {
        var columns: [String: ArraySlice<UInt8>] = [:]
        var reader = JSONReader(json)
        try? reader.members { name, value in columns[name] = value }
        return columns
    }
}
