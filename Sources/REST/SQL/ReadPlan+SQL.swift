import Postgres

/// What the embeddings of a statement share: their numbers, which make their aliases unique, and the response's limit.
struct EmbeddingContext {
    let limit: ResponseLimit
    private var lastNumber = 0

    init(limit: ResponseLimit) { self.limit = limit }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

extension ReadPlan {
    /// The scope of the outermost table: its alias is its name.
    var root: TableScope { TableScope(table: table, name: table.name) }

    /// `select … from … where … order by … limit …`
    ///
    /// - Parameters:
    ///   - source: the item of the `from` clause, with the alias of `scope`.
    ///   - joinCondition: ties embedded rows to the rows of the outer table.
    ///   - isWritten: the rows were returned by a write: they are filtered already and have additional columns.
    ///   - sortKeys: the fields by which the rows of the outer table are ordered. They follow the outputs.
    func sql(
        from source: SQL, _ scope: TableScope, joinCondition: SQL? = nil, isWritten: Bool = false,
        sortKeys: [SortKey] = [], _ context: inout EmbeddingContext
    ) throws(QueryError) -> SQL {
        var scope = scope
        var joins = EmbeddingJoins()
        var tests: [SQL] = joinCondition.map { [$0] } ?? []
        var columns: [[SQL]] = []
        var related: [Int: SQL] = [:]
        for (index, embedded) in embedded.enumerated() {
            let keys = keys(of: index)
            let row = try embedded.join(to: scope, sortKeys: keys, &joins, &tests, &context)
            columns.append(embedded.outputs(row, besideSortKeys: !keys.isEmpty))
            for key in keys { related[key.term] = .name(row, key.name) }
            for name in tested(index) { scope.missing[name] = embedded.isMissing(row) }
        }
        if !isWritten { for filter in filters { tests.append(try filter.sql(in: scope)) } }
        var parts: [SQL] = []
        for output in outputs { parts += try sql(of: output, scope, columns, listsEverything: isWritten) }
        for key in sortKeys { parts.append(try key.field.sql(in: scope) + " as " + .name(key.name)) }
        // PostgreSQL refuses an order for a single aggregate.
        let order = isCount ? "" : try ordering.sql(in: scope, related: related)
        return "select " + parts.joined(separator: ", ") + " from " + source + joins.sql + Self.condition(tests) + order
            + range.sql
    }

    /// The number of rows without limit and offset.
    func count(from source: SQL, _ scope: TableScope) throws(QueryError) -> SQL {
        // Nothing of these embeddings but their existence is used, so PostgreSQL makes no JSON that could be limited.
        var context = EmbeddingContext(limit: ResponseLimit())
        var scope = scope
        var joins = EmbeddingJoins()
        var tests: [SQL] = []
        for (index, embedded) in embedded.enumerated() {
            let names = tested(index)
            guard embedded.filtersParent || !names.isEmpty else { continue }
            let row = try embedded.join(to: scope, &joins, &tests, &context)
            for name in names { scope.missing[name] = embedded.isMissing(row) }
        }
        for filter in filters { tests.append(try filter.sql(in: scope)) }
        return "(select count(*) from " + source + joins.sql + Self.condition(tests) + ")"
    }

    /// The names by which the filters test whether an embedded relation has rows.
    private func tested(_ index: Int) -> Set<String> {
        filters.reduce(into: []) { names, filter in
            for name in filter.testedRelations where embeddedIndex(named: name) == index { names.insert(name) }
        }
    }

    /// The keys of the rows of one embedded relation by which the rows of this table are ordered.
    private func keys(of index: Int) -> [SortKey] {
        ordering.terms.enumerated().compactMap { term, order in
            guard let relation = order.relation, embeddedIndex(named: relation) == index else { return nil }
            var name = "_key\(term)"
            while embedded[index].reading.names.contains(name) { name = "_" + name }
            return SortKey(term: term, field: order.field, name: name)
        }
    }

    /// The `where` clause alone, for a write.
    func condition(in scope: TableScope) throws(QueryError) -> SQL {
        Self.condition(try filters.map { filter throws(QueryError) in try filter.sql(in: scope) })
    }

    private static func condition(_ tests: [SQL]) -> SQL {
        tests.isEmpty ? "" : " where " + tests.joined(separator: " and ")
    }

    private func sql(
        of output: Output, _ scope: TableScope, _ embedded: [[SQL]], listsEverything: Bool
    ) throws(QueryError) -> [SQL] {
        switch output {
        case .everything:
            return listsEverything ? table.columns.map { .name(scope.name, $0.name) } : [.name(scope.name) + ".*"]
        case .field(let field, let name, let cast):
            var sql = try field.sql(in: scope)
            if let cast { sql = "cast(" + sql + " as " + .name("pg_catalog", cast) + ")" }
            let isBare = cast == nil && field.path.isEmpty && name == field.column
            return [isBare ? sql : sql + " as " + .name(name)]
        case .count(let name, let cast):
            let count: SQL = cast.map { "cast(count(*) as " + .name("pg_catalog", $0) + ")" } ?? "count(*)"
            return [count + " as " + .name(name)]
        case .embedded(let index): return embedded[index]
        }
    }
}

/// A field of an embedded relation by which the rows of the outer table are ordered.
struct SortKey {
    /// The index of the term in the order of the outer table.
    var term: Int
    var field: Field
    /// The name of its column, which no output has.
    var name: String
}

/// The lateral joins of the embeddings of one table.
private struct EmbeddingJoins {
    var sql = SQL()
    /// The JSON arrays of the embeddings that are joined already.
    var arrays: [SQL] = []
}

extension ReadPlan.Embedded {
    /// Whether the embedding restricts the rows of the outer table.
    var filtersParent: Bool { isInner || mustExist != nil }

    /// Adds the embedded rows to a statement as a lateral join that returns one row.
    ///
    /// - Returns: the alias of the row.
    fileprivate func join(
        to parent: TableScope, sortKeys: [SortKey] = [], _ joins: inout EmbeddingJoins, _ tests: inout [SQL],
        _ context: inout EmbeddingContext
    ) throws(QueryError) -> String {
        let number = context.nextNumber()
        let scope = TableScope(table: relationship.target, name: "_r\(number)")
        let row = "_e\(number)"
        let (source, condition) = relationship.sql(parent, scope, junction: "_j\(number)")
        let rows = try reading.sql(from: source, scope, joinCondition: condition, sortKeys: sortKeys, &context)
        let isRequired = isInner || mustExist == true
        joins.sql += isRequired ? " join lateral (" : " left join lateral ("
        joins.sql += relationship.isToOne ? rows : aggregated(rows, beside: joins.arrays, context.limit)
        joins.sql += ") as " + .name(row) + " on "
        joins.sql += isRequired && !relationship.isToOne ? .name(row, "_any") : "true"
        if !relationship.isToOne, !isSpread { joins.arrays.append(.name(row, "_rows")) }
        if mustExist == false { tests.append(isMissing(row)) }
        return row
    }

    /// The test whether there is no related row.
    fileprivate func isMissing(_ row: String) -> SQL {
        // A missing row is "not distinct from null"; a row of nulls is not.
        relationship.isToOne ? "(" + .name(row) + " is not distinct from null)" : "not " + .name(row, "_any")
    }

    /// Aggregates rows into one: whether there are any, and their JSON array, or one array per column for a spread
    /// relation.
    ///
    /// - Parameter arrays: arrays that the same row of the outer table contains. They count, too: otherwise a row could
    ///   contain the response's limit once for each embedding.
    private func aggregated(_ rows: SQL, beside arrays: [SQL], _ limit: ResponseLimit) -> SQL {
        // Two bytes separate the elements; the length of a value of type json includes four bytes of its own.
        var fits = limit.keeps(sumOf: #"pg_column_size("_json") - 2"#)
        if !arrays.isEmpty {
            let sizes = arrays.map { array -> SQL in "coalesce(pg_column_size(" + array + "), 0)" }
            fits += " and " + limit.keeps(sizes.joined(separator: " + "))
        }
        func array(_ values: SQL) -> SQL {
            "coalesce(case when " + fits + " then json_agg(" + values + ") end, '[]') as "
        }
        let columns: [SQL] =
            isSpread
            ? reading.names.map { array(.name("_y", $0)) + .name($0) } : [array(#""_json""#) + #""_rows""#]
        // The offset has the same purpose as in `Plan.answer`.
        let source: SQL =
            (isSpread ? #"select "_x".*, "# : "select ") + #"row_to_json("_x".*) as "_json" from ("# + rows
            + #") as "_x" offset 0"#
        return "select " + ([#"count(*) > 0 as "_any""#] + columns).joined(separator: ", ") + " from (" + source
            + #") as "_y""#
    }

    /// The columns that the embedding adds to each row of the outer table.
    ///
    /// - Parameter besideSortKeys: whether the row has columns that are no part of the response.
    fileprivate func outputs(_ row: String, besideSortKeys: Bool) -> [SQL] {
        if isSpread { return reading.names.map { .name(row, $0) } }
        if reading.outputs.isEmpty { return [] }
        let value: SQL
        if besideSortKeys {
            let columns = reading.names.map { .name(row, $0) as SQL }
            value =
                "case when not " + isMissing(row) + #" then (select row_to_json("_x".*) from (select "#
                + columns.joined(separator: ", ") + #") as "_x") end"#
        } else {
            value = relationship.isToOne ? "row_to_json(" + .name(row) + ".*)" : .name(row, "_rows")
        }
        return [value + " as " + .name(name)]
    }
}

extension Relationship {
    /// The item of the `from` clause, and the condition that ties it to the rows of `parent`.
    fileprivate func sql(
        _ parent: TableScope, _ scope: TableScope, junction name: String
    ) -> (source: SQL, condition: SQL) {
        guard let junction else {
            let target = target.source(joinedBy: pairs.map(\.there)) + " as " + .name(scope.name)
            return (target, Self.equal(pairs, parent.name, scope.name))
        }
        let target = target.source(joinedBy: junction.pairs.map(\.there)) + " as " + .name(scope.name)
        return (
            target + ", " + junction.table.source(joinedBy: pairs.map(\.there)) + " as " + .name(name),
            Self.equal(pairs, parent.name, name) + " and " + Self.equal(junction.pairs, name, scope.name)
        )
    }

    private static func equal(_ pairs: [Pair], _ here: String, _ there: String) -> SQL {
        pairs.map { .name(here, $0.here) + " = " + .name(there, $0.there) as SQL }.joined(separator: " and ")
    }
}
