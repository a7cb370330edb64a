import Postgres

extension Ordering {
    /// - Parameter related: the columns of the terms that belong to embedded relations, by the index of the term.
    func sql(in scope: TableScope, related: [Int: SQL] = [:]) throws(QueryError) -> SQL {
        guard !terms.isEmpty else { return "" }
        var parts: [SQL] = []
        for (index, term) in terms.enumerated() {
            let column = related[index]
            var part: SQL
            if let column { part = column } else { part = try term.field.sql(in: scope) }
            if term.isDescending { part += " desc" }
            // For a column without nulls the placement has no effect, but it would keep the planner from using the
            // index.
            let mayBeNull =
                column != nil || !term.field.path.isEmpty
                || scope.table.column(term.field.column)?.isNullable == true
            if mayBeNull, let nullsFirst = term.nullsFirst { part += nullsFirst ? " nulls first" : " nulls last" }
            parts.append(part)
        }
        return " order by " + parts.joined(separator: ", ")
    }
}
