import JSON

/// A value of a column or of a filter, in the form in which values of its type are compared.
enum FilterValue: Equatable, Sendable {
    /// Also dates and times, in microseconds.
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// UTF-8.
    case text([UInt8])

    /// A value that a client wrote in a filter; nil if it does not have the type.
    init?(_ text: String, _ type: ColumnType) {
        switch type {
        case .integer:
            guard let value = Int(text) else { return nil }
            self = .integer(value)
        case .number:
            guard let value = Double(text) else { return nil }
            self = .number(value)
        case .boolean:
            guard let value = Self.boolean(text.lowercased()) else { return nil }
            self = .boolean(value)
        case .date, .timestamp:
            guard let value = Timestamp.microseconds(text) else { return nil }
            self = .integer(value)
        case .uuid:
            let digits = text.lowercased()
            guard Self.isUUID(digits) else { return nil }
            self = .text(Array(digits.utf8))
        case .text: self = .text(Array(text.utf8))
        case .other: return nil
        }
    }

    /// The value of a column; nil for null, and for a value that does not have the type.
    ///
    /// - Parameter json: the value as PostgreSQL writes it in a row.
    init?(json: ArraySlice<UInt8>, _ type: ColumnType) {
        if json.first == UInt8(ascii: "\"") {
            guard let text = JSONReader.string(json) else { return nil }
            self.init(text, type)
        } else {
            guard !json.elementsEqual("null".utf8) else { return nil }
            self.init(String(decoding: json, as: UTF8.self), type)
        }
    }

    /// Whether the value is smaller than another one of the same type. As in PostgreSQL, false is smaller than true.
    static func < (left: FilterValue, right: FilterValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.number(let left), .number(let right)): left < right
        case (.boolean(let left), .boolean(let right)): !left && right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }

    /// PostgreSQL's spellings, in lower case.
    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "true", "t", "yes", "y", "on", "1": true
        case "false", "f", "no", "n", "off", "0": false
        default: nil
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
