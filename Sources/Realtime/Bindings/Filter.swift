/// The condition of a binding on one column: `column=operator.value`.
struct Filter: Equatable, Sendable {
    enum Operator: String, CaseIterable, Sendable {
        case eq, neq, lt, lte, gt, gte
        case `in`
    }

    var column: String
    var type: ColumnType
    var op: Operator
    /// One value; any number for `in`.
    var values: [FilterValue]

    /// The largest number of values of `in`, as in Supabase.
    static let maxValues = 100

    /// The text is read by its bytes: a combining character after a delimiter does not change it, as it does in a
    /// `Character`.
    ///
    /// - Throws: if the text is not a filter, or does not fit the table.
    init(_ text: String, on table: Table) throws(BindingError) {
        let bytes = Array(text.utf8)
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")),
            let dot = bytes[sign...].firstIndex(of: UInt8(ascii: ".")),
            let op = Operator(rawValue: Self.text(bytes[(sign + 1)..<dot]))
        else { throw .malformedFilter(text) }
        column = Self.text(bytes[..<sign])
        guard let type = table.type(of: column) else { throw .unknownColumn(column, table: table.name) }
        guard type != .other else { throw .incomparableColumn(column) }
        self.type = type
        self.op = op
        let value = bytes[(dot + 1)...]
        values = []
        for value in op == .in ? try Self.list(value, of: text) : [value] {
            let value = Self.text(value)
            guard let known = FilterValue(value, type) else { throw .wrongValue(value, column: column) }
            values.append(known)
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a row satisfies the filter. Null satisfies none, as in SQL.
    func matches(_ row: Row) -> Bool {
        guard let value = row.value(of: column, type) else { return false }
        return switch op {
        case .eq, .in: values.contains(value)
        case .neq: !values.contains(value)
        case .lt: values.contains { value < $0 }
        case .lte: values.contains { value < $0 || value == $0 }
        case .gt: values.contains { $0 < value }
        case .gte: values.contains { $0 < value || value == $0 }
        }
    }

    /// The values of `(a,b,"c,d")`. In double quotes, `\` quotes the character after it.
    private static func list(
        _ text: ArraySlice<UInt8>, of filter: String
    ) throws(BindingError) -> [ArraySlice<UInt8>] {
        guard text.count >= 2, text.first == UInt8(ascii: "("), text.last == UInt8(ascii: ")") else {
            throw .malformedFilter(filter)
        }
        var values: [ArraySlice<UInt8>] = []
        var rest = text.dropFirst().dropLast()
        while !rest.isEmpty {
            guard values.count < maxValues else { throw .tooManyValues }
            values.append(try nextValue(&rest, of: filter))
        }
        return values
    }

    /// Removes the first value and the comma after it.
    private static func nextValue(
        _ rest: inout ArraySlice<UInt8>, of filter: String
    ) throws(BindingError) -> ArraySlice<UInt8> {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        guard rest.first == UInt8(ascii: "\"") else {
            var value = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[value.endIndex...].dropFirst()
            while value.last == UInt8(ascii: " ") { value.removeLast() }
            return value
        }
        rest.removeFirst()
        var value: ArraySlice<UInt8> = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                rest = rest.drop { $0 == UInt8(ascii: " ") }
                guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ",") else { throw .malformedFilter(filter) }
                return value
            case UInt8(ascii: "\\"):
                guard let quoted = rest.popFirst() else { throw .malformedFilter(filter) }
                value.append(quoted)
            default: value.append(byte)
            }
        }
        throw .malformedFilter(filter)
    }
}
