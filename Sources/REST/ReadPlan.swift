/// Which rows of a table are wanted and what of each, relations with it: a tree, as the answer is one.
public struct ReadPlan: Sendable, Equatable {
    public var table: Catalog.Table
    public var outputs: [Output]
    public var filters: [Condition] = []
    public var ordering = Ordering()
    public var window = RowRange()
    public var embedded: [Embedded] = []

    /// What stands in each row of the answer, in order.
    public enum Output: Sendable, Equatable {
        case everything
        case field(Field, name: String, cast: String?)
        case count
        /// A place in `embedded`.
        case embedded(Int)
    }

    public struct Embedded: Sendable, Equatable {
        public var name: String
        /// What filters may call it: the table, where `name` is an alias.
        var relation: String
        public var relationship: Relationship
        public var isInner: Bool
        public var isSpread: Bool
        public var reading: ReadPlan
        /// Whether rows of the table must, or must not, have any.
        public var mustExist: Bool?
    }

    /// Follows a selection through the catalog.
    init(_ selection: Selection, of table: Catalog.Table, in catalog: Catalog) throws(QueryError) {
        self.table = table
        outputs = []
        for item in selection.items {
            switch item {
            case .everything: outputs.append(.everything)
            case .count where table.column("count") == nil: outputs.append(.count)
            case .count: outputs.append(.field(Field(column: "count"), name: "count", cast: nil))
            case .field(let field, let alias, let cast):
                outputs.append(.field(field, name: alias ?? field.name, cast: cast))
            case .relation(let relation):
                let relationship = try catalog.relationship(from: table, to: relation.name, hint: relation.hint)
                outputs.append(.embedded(embedded.count))
                embedded.append(
                    Embedded(
                        name: relation.alias ?? relation.name, relation: relation.name, relationship: relationship,
                        isInner: relation.isInner, isSpread: relation.isSpread,
                        reading: try ReadPlan(relation.selection, of: relationship.target, in: catalog)))
            }
        }
        guard !outputs.contains(.count) || isCount else { throw .aggregatesRefused }
    }

    /// The id the rows are asked for by, where that is the only filter.
    public var onlyID: String? {
        guard filters.count == 1, case .term(let filter) = filters[0], filter.field == Field(column: "id"),
            case .compare(.eq, let id) = filter.test
        else { return nil }
        return id
    }

    /// One number instead of rows.
    var isCount: Bool { outputs == [.count] }

    /// The names of the members of a row, in order.
    var names: [String] {
        outputs.flatMap { output -> [String] in
            switch output {
            case .everything: return table.columns.map(\.name)
            case .field(_, let name, _): return [name]
            case .count: return ["count"]
            case .embedded(let index):
                let embedded = embedded[index]
                if embedded.isSpread { return embedded.reading.names }
                return embedded.reading.outputs.isEmpty ? [] : [embedded.name]
            }
        }
    }

    /// Takes one parameter of the query: `order`, `limit`, `offset`, `or`, `and` or a filter, of this table or, behind
    /// `relation.`, of one that is embedded.
    mutating func take(_ parameter: QueryString.Parameter) throws(QueryError) {
        try take(QueryScanner(parameter.name, part: "filter (\(parameter.name))"), parameter)
    }

    private mutating func take(_ name: QueryScanner, _ parameter: QueryString.Parameter) throws(QueryError) {
        var rest = name
        if let index = try place(&rest) {
            if rest.isAtEnd { return try existence(of: index, parameter) }
            return try embedded[index].reading.take(rest, parameter)
        }
        let value = parameter.value
        switch rest.rest {
        case "order": ordering = try Ordering(value)
        case "limit", "offset": try window.narrow(rest.rest, value)
        case "or", "and", "not.or", "not.and": filters.append(try FilterParser.tree(name: rest.rest, value))
        default:
            let field = try rest.field()
            if rest.peek == "." { throw .filterOnMissingRelation(field.column) }
            try rest.expectEnd()
            filters.append(try FilterParser.filter(field, value))
        }
    }

    /// The embedded relation a name starts with; `name` is then what is behind it.
    private func place(_ name: inout QueryScanner) throws(QueryError) -> Int? {
        guard !embedded.isEmpty else { return nil }
        var ahead = name
        guard let first = try? ahead.name(), ahead.isAtEnd || ahead.take(".") else { return nil }
        let index = embedded.firstIndex { $0.name == first } ?? embedded.firstIndex { $0.relation == first }
        guard let index, !ahead.isAtEnd || table.column(first) == nil else { return nil }
        name = ahead
        return index
    }

    /// `relation=is.null` and `relation=not.is.null`.
    private mutating func existence(of index: Int, _ parameter: QueryString.Parameter) throws(QueryError) {
        switch parameter.value.lowercased() {
        case "is.null", "not.is.not_null": embedded[index].mustExist = false
        case "not.is.null", "is.not_null": embedded[index].mustExist = true
        default:
            throw .malformed(
                part: "filter (\(parameter.name))", details: "a relation takes is.null and not.is.null only")
        }
    }
}
