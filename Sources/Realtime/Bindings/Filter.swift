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

    /// - Throws: if the text is not a filter, or does not fit the table.
    init(_ text: String, on table: Table) throws(BindingError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[1].firstIndex(of: ".") else { throw .malformedFilter(text) }
        guard let op = Operator(rawValue: String(parts[1][..<dot])) else { throw .malformedFilter(text) }
        column = String(parts[0])
        guard let type = table.type(of: column) else { throw .unknownColumn(column, table: table.name) }
        guard type != .other else { throw .incomparableColumn(column) }
        self.type = type
        self.op = op
        let value = String(parts[1][parts[1].index(after: dot)...])
        let texts = op == .in ? try Self.list(value, of: text) : [value]
        values = []
        for text in texts {
            guard let value = FilterValue(text, type) else { throw .wrongValue(text, column: column) }
            values.append(value)
        }
    }

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
    private static func list(_ text: String, of filter: String) throws(BindingError) -> [String] {
        guard text.hasPrefix("("), text.hasSuffix(")"), text.utf8.count >= 2 else { throw .malformedFilter(filter) }
        var values: [String] = []
        var rest = text.dropFirst().dropLast()
        while !rest.isEmpty {
            guard values.count < maxValues else { throw .tooManyValues }
            values.append(try nextValue(&rest, of: filter))
        }
        return values
    }

    /// Removes the first value and the comma after it.
    private static func nextValue(_ rest: inout Substring, of filter: String) throws(BindingError) -> String {
        rest = rest.drop { $0 == " " }
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != "," }
            rest = rest[value.endIndex...].dropFirst()
            return String(value.reversed().drop { $0 == " " }.reversed())
        }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                rest = rest.drop { $0 == " " }
                guard rest.isEmpty || rest.popFirst() == "," else { throw .malformedFilter(filter) }
                return value
            case "\\":
                guard let quoted = rest.popFirst() else { throw .malformedFilter(filter) }
                value.append(quoted)
            default: value.append(character)
            }
        }
        throw .malformedFilter(filter)
    }
}
