/// A read of a table: its columns, filters, order and range, and embedded relations with the same properties.
public struct ReadPlan: Sendable, Equatable {
    public var table: Catalog.Table
    public var outputs: [Output]
    public var filters: [Condition] = []
    public var ordering = Ordering()
    public var range = RowRange()
    public var embedded: [Embedded] = []

    /// One part of each row of the response; the parts are in order.
    public enum Output: Sendable, Equatable {
        case everything
        case field(Field, name: String, cast: String?)
        /// The number of rows.
        case count(name: String, cast: String?)
        /// An index into `embedded`.
        case embedded(Int)
    }

    public struct Embedded: Sendable, Equatable {
        public var name: String
        /// The name of the table, which filters may use instead of the alias `name`.
        var relation: String
        public var relationship: Relationship
        public var isInner: Bool
        public var isSpread: Bool
        public var reading: ReadPlan
        /// True: only rows with related rows; false: only rows without; nil: all rows.
        public var mustExist: Bool?
    }

    var isCounted: Bool { table.isCounted && embedded.allSatisfy(\.reading.isCounted) }

    /// A read of these columns alone.
    init(columns: [String], of table: Catalog.Table) {
        self.table = table
        outputs = columns.map { .field(Field(column: $0), name: $0, cast: nil) }
    }

    /// Resolves a selection with the catalog.
    init(_ selection: Selection, of table: Catalog.Table, in catalog: Catalog) throws(QueryError) {
        var count = EmbeddingCount()
        try self.init(selection, of: table, in: catalog, &count)
    }

    private init(
        _ selection: Selection, of table: Catalog.Table, in catalog: Catalog, _ count: inout EmbeddingCount
    ) throws(QueryError) {
        self.table = table
        outputs = []
        for item in selection.items {
            switch item {
            case .everything: outputs.append(.everything)
            case .count(let alias, let cast, isCall: false) where table.column("count") != nil:
                outputs.append(.field(Field(column: "count"), name: alias ?? "count", cast: cast))
            case .count(let alias, let cast, _): outputs.append(.count(name: alias ?? "count", cast: cast))
            case .field(let field, let alias, let cast):
                outputs.append(.field(field, name: alias ?? field.name, cast: cast))
            case .relation(let relation):
                let relationship = try catalog.relationship(from: table, to: relation.name, hint: relation.hint)
                let reading = try ReadPlan(relation.selection, of: relationship.target, in: catalog, &count)
                try count.add(relationship.target.name, isCount: reading.isCount)
                outputs.append(.embedded(embedded.count))
                embedded.append(
                    Embedded(
                        name: relation.alias ?? relation.name, relation: relation.name, relationship: relationship,
                        isInner: relation.isInner, isSpread: relation.isSpread, reading: reading))
            }
        }
        let counts = outputs.contains { if case .count = $0 { true } else { false } }
        guard !counts || isCount else { throw .aggregatesRefused }
    }

    /// The relations that the selection of one request embeds, at all depths.
    private struct EmbeddingCount {
        /// The maximum number of embeddings, and of those that return rows of the same table. Each may return the same
        /// rows again, so they multiply the response.
        static let max = 20
        static let maxPerTable = 5

        private var all = 0
        private var perTable: [String: Int] = [:]

        /// - Parameter isCount: the embedding returns a number instead of rows.
        mutating func add(_ table: String, isCount: Bool) throws(QueryError) {
            all += 1
            guard all <= Self.max else { throw .tooComplex("A selection of more than \(Self.max) relations") }
            guard !isCount else { return }
            perTable[table, default: 0] += 1
            guard perTable[table, default: 0] <= Self.maxPerTable else {
                throw .tooComplex("A selection that embeds \(table) more than \(Self.maxPerTable) times")
            }
        }
    }

    /// The id, when the only filter is `id=eq.<id>`.
    public var onlyID: String? {
        guard filters.count == 1, case .term(let filter) = filters[0], filter.field == Field(column: "id"),
            case .compare(.eq, let id) = filter.test
        else { return nil }
        return id
    }

    /// Whether the response is a number of rows instead of rows.
    var isCount: Bool {
        guard outputs.count == 1, case .count = outputs[0] else { return false }
        return true
    }

    /// The member names of a row, in order.
    var names: [String] {
        outputs.flatMap { output -> [String] in
            switch output {
            case .everything: return table.columns.map(\.name)
            case .field(_, let name, _): return [name]
            case .count(let name, _): return [name]
            case .embedded(let index):
                let embedded = embedded[index]
                if embedded.isSpread { return embedded.reading.names }
                return embedded.reading.outputs.isEmpty ? [] : [embedded.name]
            }
        }
    }

    /// Applies one parameter of the query: `order`, `limit`, `offset`, `or`, `and` or a filter, for this table or,
    /// after `relation.`, for an embedded one.
    mutating func apply(_ parameter: QueryString.Parameter) throws(QueryError) {
        try apply(QueryScanner(parameter.name, part: "filter (\(parameter.name))"), parameter)
    }

    private mutating func apply(_ name: QueryScanner, _ parameter: QueryString.Parameter) throws(QueryError) {
        var rest = name
        if let index = try embeddedIndex(&rest) {
            if rest.isAtEnd { return try existence(of: index, parameter) }
            return try embedded[index].reading.apply(rest, parameter)
        }
        let value = parameter.value
        switch rest.rest {
        case "order":
            ordering = try Ordering(value)
            for term in ordering.terms { try checkRelation(of: term) }
        case "limit", "offset": try range.narrow(rest.rest, value)
        case "or", "and", "not.or", "not.and":
            let tree = try FilterParser.tree(name: rest.rest, value)
            filters.append(embedded.isEmpty ? tree : tree.testing { isRelation($0) })
        default:
            let field = try rest.field()
            if rest.peek == "." { throw .filterOnMissingRelation(field.column) }
            try rest.expectEnd()
            filters.append(try FilterParser.filter(field, value))
        }
    }

    /// The index of the embedded relation that a name starts with. `name` then continues after the relation.
    private func embeddedIndex(_ name: inout QueryScanner) throws(QueryError) -> Int? {
        guard !embedded.isEmpty else { return nil }
        var ahead = name
        guard let first = try? ahead.name(), ahead.isAtEnd || ahead.take(".") else { return nil }
        guard let index = embeddedIndex(named: first), !ahead.isAtEnd || table.column(first) == nil else { return nil }
        name = ahead
        return index
    }

    /// The index of the embedded relation with this alias or name.
    func embeddedIndex(named name: String) -> Int? {
        embedded.firstIndex { $0.name == name } ?? embedded.firstIndex { $0.relation == name }
    }

    /// Whether a name in a condition means an embedded relation and no column.
    private func isRelation(_ name: String) -> Bool { embeddedIndex(named: name) != nil && table.column(name) == nil }

    /// Checks that the relation of a term is embedded, with one row at most.
    private func checkRelation(of term: Ordering.Term) throws(QueryError) {
        guard let relation = term.relation else { return }
        guard let index = embeddedIndex(named: relation) else { throw .filterOnMissingRelation(relation) }
        let embedded = embedded[index]
        guard embedded.relationship.isToOne else {
            throw .relatedOrder(table: table.name, relation: embedded.relationship.target.name)
        }
        guard !embedded.reading.isCount else { throw .aggregatesRefused }
    }

    /// `relation=is.null` and `relation=not.is.null`.
    private mutating func existence(of index: Int, _ parameter: QueryString.Parameter) throws(QueryError) {
        switch parameter.value.lowercased() {
        case "is.null", "not.is.not_null": embedded[index].mustExist = false
        case "not.is.null", "is.not_null": embedded[index].mustExist = true
        default:
            throw .malformed(
                part: "filter (\(parameter.name))", details: "a relation only takes is.null and not.is.null")
        }
    }
}
