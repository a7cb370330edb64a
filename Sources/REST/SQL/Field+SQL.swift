import Postgres

/// A table and the alias of its rows in a statement.
struct TableScope {
    var table: Catalog.Table
    var name: String
    /// By the name that a condition uses: the tests whether embedded relations have no row.
    var missing: [String: SQL] = [:]
}

extension Field {
    /// - Parameter scope: the rows that have the field.
    func sql(in scope: TableScope) throws(QueryError) -> SQL {
        guard let known = scope.table.column(column) else {
            throw .unknownColumn(table: scope.table.name, column: column)
        }
        var sql = SQL.name(scope.name, column)
        guard !path.isEmpty else { return sql }
        if !["json", "jsonb"].contains(known.type) { sql = "to_jsonb(" + sql + ")" }
        for step in path {
            sql += step.isText ? "->>" : "->"
            switch step.operand {
            case .key(let key): sql += "\(key)::text"
            case .index(let index): sql += "\(literal: index)"
            }
        }
        return "(" + sql + ")"
    }
}
