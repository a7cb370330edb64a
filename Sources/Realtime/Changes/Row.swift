import JSON

/// The columns of a row, found when a filter first needs one, and read once for all filters.
final class Row {
    private let json: [UInt8]
    private lazy var columns: [String: ArraySlice<UInt8>] = Self.columns(of: json)
    private var values: [Place: FilterValue?] = [:]

    private struct Place: Hashable {
        var column: String
        /// Filters that were made before a change of the schema may have another one.
        var type: ColumnType
    }

    /// - Parameter json: a JSON object.
    init(_ json: [UInt8]) { self.json = json }

    /// The value of a column; nil for null, and for a value that does not have the type.
    func value(of column: String, _ type: ColumnType) -> FilterValue? {
        let place = Place(column: column, type: type)
        if let known = values[place] { return known }
        let value = columns[column].flatMap { FilterValue(json: $0, type) }
        values[place] = .some(value)
        return value
    }

    private static func columns(of json: [UInt8]) -> [String: ArraySlice<UInt8>] {
        var columns: [String: ArraySlice<UInt8>] = [:]
        var reader = JSONReader(json)
        try? reader.members { name, value in columns[name] = value }
        return columns
    }
}
