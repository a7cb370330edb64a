import Postgres

/// Every plan is one statement that answers one row of four cells: the rows as JSON text (null when none are wanted),
/// how many there are, how many there would be without limit and offset (null unless counted), and how many of an
/// upsert's rows are new.
extension Plan {
    /// The statement, to be filled with the text of the body where it takes one.
    public func sql() throws(QueryError) -> SQL {
        switch action {
        case .read: try read()
        case .insert(let insert): try write(self.insert(insert))
        case .update(let shape, let columns): try write(update(shape, columns))
        case .delete: try write(delete())
        }
    }

    private var target: SQL { .name("public", table.name) }

    private func condition() throws(QueryError) -> SQL {
        guard !filters.isEmpty else { return "" }
        var terms: [SQL] = []
        for filter in filters { terms.append(try filter.sql(over: table)) }
        return " where " + terms.joined(separator: " and ")
    }

    // MARK: - Reading

    private func read() throws(QueryError) -> SQL {
        let columns = try selection.sql(of: table, listsEverything: false)
        let condition = try condition()
        // The order of a single number means nothing, and PostgreSQL would refuse it.
        let order = selection.isCount ? "" : try ordering.sql(of: table)
        let rows: SQL = "select " + columns + " from " + target + condition + order + window.sql
        var total: SQL = "null::bigint"
        if preferences.count != nil { total = "(select count(*) from " + target + condition + ")" }
        let body: SQL = isHead ? "null::text" : json
        return "select " + body + ", count(*), " + total + ", null::bigint from (" + rows + ") as _page"
    }

    /// The rows of `_page` as JSON text; `.*`, as a column may have been given that name too.
    private var json: SQL {
        switch format {
        case .array: "coalesce(json_agg(_page.*), '[]')::text"
        case .singular: "(json_agg(_page.*) -> 0)::text"
        }
    }

    // MARK: - Writing

    /// Runs a writing statement and answers its rows, shaped by `select`.
    private func write(_ statement: SQL) throws(QueryError) -> SQL {
        let count: SQL = format == .singular ? "rest.one_row(count(*))" : "count(*)"
        let limited: SQL = preferences.handling == .strict && preferences.maxAffected != nil
            ? "rest.at_most(" + count + ", \(preferences.maxAffected)::bigint)" : count
        let inserted: SQL
        if case .insert(let insert) = action, insert.conflictTarget != nil {
            inserted = "(select count(*) from _written where _inserted)"
        } else {
            inserted = "null::bigint"
        }
        let columns: SQL = returnsRows ? try selection.sql(of: table, listsEverything: true) : "1"
        let body: SQL = returnsRows ? json : "null::text"
        return "with _written as (" + statement + ") select " + body + ", " + limited + ", count(*), " + inserted
            + " from (select " + columns + " from _written as " + .name(table.name) + ") as _page"
    }

    private func insert(_ insert: Insert) throws(QueryError) -> SQL {
        var sql: SQL = "insert into " + target
        let columns = insert.columns.map(SQL.name).joined(separator: ", ")
        if insert.columns.isEmpty {
            // `{}`: every column its default, one row an object.
            sql += " " + defaults(rows: insert.shape)
        } else {
            let values = insert.columns.map { SQL.name("_body", $0) }.joined(separator: ", ")
            sql += " (" + columns + ") select " + values + " from " + source(insert.shape)
        }
        if let conflict = insert.conflictTarget {
            let names = conflict.map(SQL.name).joined(separator: ", ")
            if preferences.resolution == .mergeDuplicates, !insert.columns.isEmpty {
                let assignments = insert.columns.map { .name($0) + " = " + .name("excluded", $0) as SQL }
                sql += " on conflict (" + names + ") do update set " + assignments.joined(separator: ", ")
            } else {
                sql += " on conflict (" + names + ") do nothing"
            }
        }
        // A row that was just inserted has no deleting transaction; one that an upsert updated has ours.
        return sql + " returning " + .name(table.name) + ".*, (" + .name(table.name, "xmax") + " = 0) as _inserted"
    }

    /// The columns' defaults: one row for `{}`, none for `[]`.
    private func defaults(rows shape: JSONBody.Shape) -> SQL {
        guard shape == .none else { return "default values" }
        return "select * from " + target + " where false"
    }

    private func update(_ shape: JSONBody.Shape, _ columns: [String]) throws(QueryError) -> SQL {
        let returning: SQL = " returning " + .name(table.name) + ".*"
        guard !columns.isEmpty else {
            // `{}` changes nothing and matches nothing.
            return "select * from " + target + " where false"
        }
        let assignments = columns.map { .name($0) + " = " + .name("_body", $0) as SQL }.joined(separator: ", ")
        return "update " + target + " set " + assignments + " from " + source(shape) + (try condition()) + returning
    }

    private func delete() throws(QueryError) -> SQL {
        "delete from " + target + (try condition()) + " returning " + .name(table.name) + ".*"
    }

    /// The body as rows of the table's type: PostgreSQL reads the JSON and names the value it cannot take.
    private func source(_ shape: JSONBody.Shape) -> SQL {
        let function: SQL = shape == .object ? "json_populate_record" : "json_populate_recordset"
        return function + "(null::" + target + ", " + .later + "::json) as _body"
    }
}
