import Postgres

/// Gives every embedding of a statement names of its own.
struct Names {
    private var last = 0

    mutating func next() -> Int {
        last += 1
        return last
    }
}

extension ReadPlan {
    /// The scope of the root: the table under its own name.
    var root: Scope { Scope(table: table, name: table.name) }

    /// `select … from … where … order by … limit …`
    ///
    /// - Parameters:
    ///   - source: what stands behind `from`, called as the scope.
    ///   - link: what ties the rows to those of the table they are embedded in.
    ///   - isWritten: the rows are those a write returned: already filtered, with columns of our own among them.
    func sql(
        from source: SQL, _ scope: Scope, link: SQL? = nil, isWritten: Bool = false, _ names: inout Names
    ) throws(QueryError) -> SQL {
        var joins = SQL()
        var tests: [SQL] = link.map { [$0] } ?? []
        var columns: [[SQL]] = []
        for embedded in embedded { columns.append(try embedded.join(to: scope, &joins, &tests, &names)) }
        if !isWritten { for filter in filters { tests.append(try filter.sql(in: scope)) } }
        var parts: [SQL] = []
        for output in outputs { parts += try sql(of: output, scope, columns, listsEverything: isWritten) }
        // The order of a single number means nothing, and PostgreSQL would refuse it.
        let order = isCount ? "" : try ordering.sql(in: scope)
        return "select " + parts.joined(separator: ", ") + " from " + source + joins + Self.condition(tests) + order
            + window.sql
    }

    /// How many rows there are without a window.
    func count(from source: SQL, _ scope: Scope) throws(QueryError) -> SQL {
        var names = Names()
        var joins = SQL()
        var tests: [SQL] = []
        for embedded in embedded where embedded.decides { _ = try embedded.join(to: scope, &joins, &tests, &names) }
        for filter in filters { tests.append(try filter.sql(in: scope)) }
        return "(select count(*) from " + source + joins + Self.condition(tests) + ")"
    }

    /// The filters alone, for a write.
    func condition(in scope: Scope) throws(QueryError) -> SQL {
        Self.condition(try filters.map { filter throws(QueryError) in try filter.sql(in: scope) })
    }

    private static func condition(_ tests: [SQL]) -> SQL {
        tests.isEmpty ? "" : " where " + tests.joined(separator: " and ")
    }

    private func sql(
        of output: Output, _ scope: Scope, _ embedded: [[SQL]], listsEverything: Bool
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
    /// Whether it decides which rows of the table there are.
    var decides: Bool { isInner || mustExist != nil }

    /// Adds the embedded rows to a statement as a lateral join, which makes one row of them.
    ///
    /// - Returns: the columns they give to each row of the table.
    fileprivate func join(
        to parent: Scope, _ joins: inout SQL, _ tests: inout [SQL], _ names: inout Names
    ) throws(QueryError) -> [SQL] {
        let number = names.next()
        let scope = Scope(table: relationship.target, name: "_r\(number)")
        let row = "_e\(number)"
        let (source, link) = relationship.sql(parent, scope, junction: "_j\(number)")
        let rows = try reading.sql(from: source, scope, link: link, &names)
        let isRequired = isInner || mustExist == true
        joins += isRequired ? " join lateral (" : " left join lateral ("
        joins += relationship.isToOne ? rows : gathered(rows)
        joins += ") as " + .name(row) + " on "
        joins += isRequired && !relationship.isToOne ? .name(row, "_any") : "true"
        if mustExist == false {
            // Only a missing row, not one of nulls, is "not distinct from null".
            tests.append(
                relationship.isToOne ? "(" + .name(row) + " is not distinct from null)" : "not " + .name(row, "_any"))
        }
        return outputs(row)
    }

    /// Many rows as one: whether there are any, and their JSON array, or one array a column where they are spread.
    private func gathered(_ rows: SQL) -> SQL {
        let arrays: [SQL] =
            isSpread
            ? reading.names.map { "coalesce(json_agg(" + .name("_x", $0) + "), '[]') as " + .name($0) }
            : [#"coalesce(json_agg("_x".*), '[]') as "_rows""#]
        return "select " + ([#"count(*) > 0 as "_any""#] + arrays).joined(separator: ", ") + " from (" + rows + #") as "_x""#
    }

    private func outputs(_ row: String) -> [SQL] {
        if isSpread { return reading.names.map { .name(row, $0) } }
        if reading.outputs.isEmpty { return [] }
        let value: SQL = relationship.isToOne ? "row_to_json(" + .name(row) + ".*)" : .name(row, "_rows")
        return [value + " as " + .name(name)]
    }
}

extension Relationship {
    /// What stands behind `from`, and what ties it to the rows of `parent`.
    fileprivate func sql(_ parent: Scope, _ scope: Scope, junction name: String) -> (source: SQL, link: SQL) {
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
