import Postgres

extension Ordering {
    func sql(in scope: TableScope) throws(QueryError) -> SQL {
        guard !terms.isEmpty else { return "" }
        var parts: [SQL] = []
        for term in terms {
            var part = try term.field.sql(in: scope)
            if term.isDescending { part += " desc" }
            // For a column without nulls the placement has no effect, but it would keep the planner from using the
            // index.
            let mayBeNull = !term.field.path.isEmpty || scope.table.column(term.field.column)?.isNullable == true
            if mayBeNull, let nullsFirst = term.nullsFirst { part += nullsFirst ? " nulls first" : " nulls last" }
            parts.append(part)
        }
        return " order by " + parts.joined(separator: ", ")
    }
}
