import Postgres

/// Numbers the embeddings of a statement, so that their aliases are unique.
struct EmbeddingNumbers {
    private var last = 0

    mutating func next() -> Int {
        last += 1
        return last
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
    func sql(
        from source: SQL, _ scope: TableScope, joinCondition: SQL? = nil, isWritten: Bool = false,
        _ numbers: inout EmbeddingNumbers
    ) throws(QueryError) -> SQL {
        var joins = SQL()
        var tests: [SQL] = joinCondition.map { [$0] } ?? []
        var columns: [[SQL]] = []
        for embedded in embedded { columns.append(try embedded.join(to: scope, &joins, &tests, &numbers)) }
        if !isWritten { for filter in filters { tests.append(try filter.sql(in: scope)) } }
        var parts: [SQL] = []
        for output in outputs { parts += try sql(of: output, scope, columns, listsEverything: isWritten) }
        // PostgreSQL refuses an order for a single aggregate.
        let order = isCount ? "" : try ordering.sql(in: scope)
        return "select " + parts.joined(separator: ", ") + " from " + source + joins + Self.condition(tests) + order
            + range.sql
    }

    /// The number of rows without limit and offset.
    func count(from source: SQL, _ scope: TableScope) throws(QueryError) -> SQL {
        var numbers = EmbeddingNumbers()
        var joins = SQL()
        var tests: [SQL] = []
        for embedded in embedded where embedded.filtersParent {
            _ = try embedded.join(to: scope, &joins, &tests, &numbers)
        }
        for filter in filters { tests.append(try filter.sql(in: scope)) }
        return "(select count(*) from " + source + joins + Self.condition(tests) + ")"
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
        case .count: return ["count(*) as count"]
        case .embedded(let index): return embedded[index]
        }
    }
}

extension ReadPlan.Embedded {
    /// Whether the embedding restricts the rows of the outer table.
    var filtersParent: Bool { isInner || mustExist != nil }

    /// Adds the embedded rows to a statement as a lateral join that returns one row.
    ///
    /// - Returns: the columns that the embedding adds to each row of the outer table.
    fileprivate func join(
        to parent: TableScope, _ joins: inout SQL, _ tests: inout [SQL], _ numbers: inout EmbeddingNumbers
    ) throws(QueryError) -> [SQL] {
        let number = numbers.next()
        let scope = TableScope(table: relationship.target, name: "_r\(number)")
        let row = "_e\(number)"
        let (source, condition) = relationship.sql(parent, scope, junction: "_j\(number)")
        let rows = try reading.sql(from: source, scope, joinCondition: condition, &numbers)
        let isRequired = isInner || mustExist == true
        joins += isRequired ? " join lateral (" : " left join lateral ("
        joins += relationship.isToOne ? rows : aggregated(rows)
        joins += ") as " + .name(row) + " on "
        joins += isRequired && !relationship.isToOne ? .name(row, "_any") : "true"
        if mustExist == false {
            // A missing row is "not distinct from null"; a row of nulls is not.
            tests.append(
                relationship.isToOne ? "(" + .name(row) + " is not distinct from null)" : "not " + .name(row, "_any"))
        }
        return outputs(row)
    }

    /// Aggregates rows into one: whether there are any, and their JSON array, or one array per column for a spread
    /// relation.
    private func aggregated(_ rows: SQL) -> SQL {
        let arrays: [SQL] =
            isSpread
            ? reading.names.map { "coalesce(json_agg(" + .name("_x", $0) + "), '[]') as " + .name($0) }
            : [#"coalesce(json_agg("_x".*), '[]') as "_rows""#]
        let columns: [SQL] = [#"count(*) > 0 as "_any""#] + arrays
        return "select " + columns.joined(separator: ", ") + " from (" + rows + #") as "_x""#
    }

    private func outputs(_ row: String) -> [SQL] {
        if isSpread { return reading.names.map { .name(row, $0) } }
        if reading.outputs.isEmpty { return [] }
        let value: SQL = relationship.isToOne ? "row_to_json(" + .name(row) + ".*)" : .name(row, "_rows")
        return [value + " as " + .name(name)]
    }
}

extension Relationship {
    /// The item of the `from` clause, and the condition that ties it to the rows of `parent`.
    fileprivate func sql(
        _ parent: TableScope, _ scope: TableScope, junction name: String
    ) -> (source: SQL, condition: SQL) {
        let target: SQL = .name("public", target.name) + " as " + .name(scope.name)
        guard let junction else { return (target, Self.equal(pairs, parent.name, scope.name)) }
        return (
            target + ", " + .name("public", junction.table) + " as " + .name(name),
            Self.equal(pairs, parent.name, name) + " and " + Self.equal(junction.pairs, name, scope.name)
        )
    }

    private static func equal(_ pairs: [Pair], _ here: String, _ there: String) -> SQL {
        pairs.map { .name(here, $0.here) + " = " + .name(there, $0.there) as SQL }.joined(separator: " and ")
    }
}
