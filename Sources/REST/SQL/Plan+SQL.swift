import Postgres

/// Every plan becomes one statement that returns one row with five columns:
///
/// 0. the rows as text in the format of the response; null when the response has none
/// 1. the number of rows
/// 2. the number of rows without limit and offset; null unless counted
/// 3. the number of inserted rows of an upsert, else null
/// 4. for a read the caller's change counter; for a write the number of rows left unchanged because of a newer action
extension Plan {
    /// The statement. If the request has a body, its text is the deferred bind.
    public func sql() throws(QueryError) -> SQL {
        switch action {
        case .read: try read()
        case .insert(let insert):
            try sql(replacingWriteBy: self.insert(insert), countsInserted: insert.conflictTarget != nil)
        case .update(let shape, let columns): try sql(replacingWriteBy: update(shape, columns))
        case .delete: try sql(replacingWriteBy: delete())
        case .call(let call): try self.call(call)
        }
    }

    private var target: SQL { .name("public", table.name) }

    // MARK: - Reading

    private func read() throws(QueryError) -> SQL {
        var embeddings = EmbeddingContext(limit: responseLimit)
        let source = table.source(joinedBy: [])
        let rows = try reading.sql(from: source, reading.root, &embeddings)
        let total = preferences.count == nil ? "null::bigint" : try reading.count(from: source, reading.root)
        let end: SQL = ", count(*), " + total + ", null::bigint, " + changeCounter + " from "
        return "select " + answer(isHead ? nil : self.rows, of: rows, end)
    }

    /// An expression: the number of changes of the caller's rows in all tables; 0 for a caller without a user.
    ///
    /// Computed rows may change without a write. If the caller has any, `rest.computed_changes()` is another number
    /// each time.
    public var changeCounter: SQL {
        reading.showsComputedRows ? Self.writeCounter + " + rest.computed_changes()" : Self.writeCounter
    }

    /// An expression: the number of writes to the caller's rows in all tables; 0 for a caller without a user.
    public static var writeCounter: SQL {
        "(select coalesce(sum(n), 0) from rest.changes where user_id = (select auth.uid()))"
    }

    /// A statement that precedes `sql()` in the same transaction: it calls the function and keeps the rows it returns in
    /// a setting of the transaction, from which `sql()` takes them. Nil if `sql()` calls the function itself.
    ///
    /// A statement sees the tables as they were when it began. So a function that writes has to be called before the
    /// statement that embeds what belongs to its rows.
    public var precedingCall: SQL? {
        guard case .call(let call) = action, keepsRows(of: call) else { return nil }
        let rows: SQL = "array_agg(" + .name(table.name) + ".*)::text"
        return "select set_config('rest.called', coalesce(" + rows + ", '{}'), true) is null from "
            + call.sql(as: table.name)
    }

    private func keepsRows(of call: FunctionCall) -> Bool {
        guard call.function.isVolatile, case .row = call.function.result else { return false }
        return !reading.embedded.isEmpty
    }

    private func call(_ call: FunctionCall) throws(QueryError) -> SQL {
        // The count makes PostgreSQL evaluate the function for all rows, also for those that filters or the limit
        // remove.
        let end: SQL = ", (select count(*) from _called), nullif(current_setting('rest.superseded', true), '') from "
        let called: SQL =
            "with _called as (select " + (table.columns.isEmpty ? "1" : .name(table.name) + ".*") + " from "
            + (keepsRows(of: call) ? keptRows : call.sql(as: table.name)) + ") select "
        guard returnsRows else { return called + "null::text, count(*), null::bigint" + end + "_called" }
        let source: SQL = "_called as " + .name(table.name)
        var embeddings = EmbeddingContext(limit: responseLimit)
        let rows = try reading.sql(from: source, reading.root, &embeddings)
        let total = preferences.count == nil ? "null::bigint" : try reading.count(from: source, reading.root)
        return called + answer(isHead ? nil : result(of: call), of: rows, ", count(*), " + total + end)
    }

    /// The rows of `precedingCall` as an item of a `from` clause.
    private var keptRows: SQL {
        "unnest(current_setting('rest.called')::" + target + "[]) as " + .name(table.name)
    }

    // MARK: - The text of the response

    /// The text of a response, made from the rows of a query in two steps.
    private struct Body {
        /// The text of one row of `_page`. It uses `_page.*`, because a column may be named `_page` too.
        var row: SQL
        /// The whole text, from the texts `_row` of all rows.
        var whole: SQL
    }

    /// `body, columns from rows`, the main part of a statement.
    ///
    /// - Parameters:
    ///   - body: nil for a response without a body.
    ///   - columns: the columns after the body, up to the `from`.
    private func answer(_ body: Body?, of rows: SQL, _ columns: SQL) -> SQL {
        guard let body else { return "null::text" + columns + "(" + rows + ") as _page" }
        // With an offset the planner does not merge the two queries, so the text of a row is made once and used twice:
        // it becomes a part of the body, and its length counts.
        return body.whole + columns + "(select " + body.row + " as _row from (" + rows + ") as _page offset 0) as _rows"
    }

    /// The rows in the format of the response.
    private var rows: Body {
        let row: SQL = media.stripsNulls ? "json_strip_nulls(row_to_json(_page.*))::text" : "row_to_json(_page.*)::text"
        switch media.kind {
        case .array: return Body(row: row, whole: "'[' || " + list(separator: ",") + " || ']'")
        case .singular: return Body(row: row, whole: single)
        case .csv:
            let header = CSV.line(reading.names)
            return Body(
                row: "rest.csv_line(row_to_json(_page.*))",
                whole: "\(header)::text || " + list(separator: "", beside: header.utf8.count))
        }
    }

    /// A set of rows as a read returns it, a single row as an object, a value as such.
    private func result(of call: FunctionCall) -> Body {
        let value: SQL = "coalesce(to_json(" + .name("_page", table.name) + ")::text, 'null')"
        switch (call.function.result, call.function.returnsSet) {
        case (.row, true), (.record, true), (.nothing, _): return rows
        case (.row, false), (.record, false):
            return media.kind == .array ? Body(row: rows.row, whole: "coalesce(" + single + ", 'null')") : rows
        case (.value, true): return Body(row: value, whole: "'[' || " + list(separator: ",") + " || ']'")
        case (.value, false): return Body(row: value, whole: "coalesce(" + single + ", 'null')")
        }
    }

    /// All rows. A string costs PostgreSQL less than `json_agg` and gives the same text.
    ///
    /// - Parameter other: the bytes of the response before the rows.
    private func list(separator: SQL, beside other: Int = 0) -> SQL {
        let limit = ResponseLimit(bytes: responseLimit.bytes - other)
        return "coalesce(case when " + limit.keeps(sumOf: "octet_length(_row) + 1") + " then string_agg(_row, '"
            + separator + "') end, '')"
    }

    /// The only row; any row if there are several, which is an error: only one is kept in the meantime.
    private var single: SQL {
        "case when " + responseLimit.keeps(each: "octet_length(_row) - 1") + #" then min(_row collate "C") end"#
    }

    // MARK: - Writing

    /// The statement of the plan with `statement` in place of its own insert, update or delete.
    ///
    /// A product can so give a table another way of writing; preferences and `select` apply as usual.
    ///
    /// - Parameters:
    ///   - statement: returns the columns of the table.
    ///   - countsInserted: whether `statement` marks inserted rows in an additional column `_inserted`.
    public func sql(replacingWriteBy statement: SQL, countsInserted: Bool = false) throws(QueryError) -> SQL {
        let count: SQL = media.kind == .singular ? "rest.one_row(count(*))" : "count(*)"
        let limited: SQL =
            preferences.handling == .strict && preferences.maxAffected != nil
            ? "rest.at_most(" + count + ", \(preferences.maxAffected)::bigint)" : count
        let inserted: SQL = countsInserted ? "(select count(*) from _written where _inserted)" : "null::bigint"
        let written: SQL = "_written as " + .name(table.name)
        var embeddings = EmbeddingContext(limit: responseLimit)
        let rows =
            returnsRows || returnsKey
            ? try keyed(reading).sql(from: written, reading.root, isWritten: true, &embeddings)
            : "select 1 from " + written
        let key = Body(row: "row_to_json(_page.*)::text", whole: single)
        let end: SQL =
            ", " + limited + ", count(*), " + inserted
            + ", nullif(current_setting('rest.superseded', true), '') from "
        return "with _written as (" + statement + ") select "
            + answer(returnsKey ? key : returnsRows ? self.rows : nil, of: rows, end)
    }

    /// `return=headers-only` of an insert: the statement returns the key of the row for `Location`.
    var returnsKey: Bool {
        guard case .insert = action else { return false }
        return preferences.returns == .headersOnly && !table.primaryKey.isEmpty
    }

    private func keyed(_ reading: ReadPlan) -> ReadPlan {
        guard returnsKey else { return reading }
        var keyed = reading
        keyed.embedded = []
        keyed.ordering.terms.removeAll { $0.relation != nil }
        keyed.outputs = table.primaryKey.map { .field(Field(column: $0), name: $0, cast: "text") }
        return keyed
    }

    private func insert(_ insert: Insert) throws(QueryError) -> SQL {
        var sql: SQL = "insert into " + target
        let columns = insert.columns.map(SQL.name).joined(separator: ", ")
        if insert.columns.isEmpty {
            // `{}`: one row with the default of every column.
            sql += " " + defaults(rows: insert.shape)
        } else {
            let values = insert.columns.map { SQL.name("_body", $0) }.joined(separator: ", ")
            let rows = insert.fillsDefaults ? filledSource(insert) : source(insert.shape)
            sql += " (" + columns + ") select " + values + " from " + rows
            if insert.isPut { sql += try reading.condition(in: TableScope(table: table, name: "_body")) }
        }
        if let conflict = insert.conflictTarget {
            let names = conflict.map(SQL.name).joined(separator: ", ")
            if insert.isPut || preferences.resolution == .mergeDuplicates, !insert.columns.isEmpty {
                let assignments = insert.columns.map { .name($0) + " = " + .name("excluded", $0) as SQL }
                sql += " on conflict (" + names + ") do update set " + assignments.joined(separator: ", ")
            } else {
                sql += " on conflict (" + names + ") do nothing"
            }
        }
        // `xmax` of an inserted row is 0; that of a row that the upsert updated is the current transaction. Views have
        // no such column.
        let isNew: SQL = insert.conflictTarget == nil ? "true" : .name(table.name, "xmax") + " = 0"
        return sql + " returning " + .name(table.name) + ".*, (" + isNew + ") as _inserted"
    }

    /// The source of an insert without columns: one row of defaults for `{}`, no row for `[]`.
    private func defaults(rows shape: JSONBody.Shape) -> SQL {
        guard shape == .none else { return "default values" }
        return "select * from " + target + " where false"
    }

    private func update(_ shape: JSONBody.Shape, _ columns: [String]) throws(QueryError) -> SQL {
        let returning: SQL = " returning " + .name(table.name) + ".*"
        guard !columns.isEmpty else {
            // `{}` changes no row.
            return "select * from " + target + " where false"
        }
        let assignments = columns.map { .name($0) + " = " + .name("_body", $0) as SQL }.joined(separator: ", ")
        return "update " + target + " set " + assignments + " from " + source(shape)
            + (try reading.condition(in: reading.root)) + returning
    }

    private func delete() throws(QueryError) -> SQL {
        "delete from " + target + (try reading.condition(in: reading.root)) + " returning " + .name(table.name) + ".*"
    }

    /// The body as rows of the table's type. PostgreSQL parses the JSON and names values that do not fit.
    private func source(_ shape: JSONBody.Shape) -> SQL {
        let function: SQL = shape == .object ? "json_populate_record" : "json_populate_recordset"
        return function + "(null::" + target + ", " + .deferred + "::json) as _body"
    }

    /// The same with the defaults of missing columns, as SQL expressions from PostgreSQL's catalog. A default that is
    /// not needed is not computed, because computing it may have effects such as advancing a sequence.
    private func filledSource(_ insert: Insert) -> SQL {
        let defaults = insert.columns.compactMap { name -> SQL? in
            guard let expression = table.column(name)?.defaultExpression else { return nil }
            return "case when _given.object ? \(name)::text then '{}' else jsonb_build_object(\(name)::text, "
                + SQL(stringLiteral: expression) + ") end || "
        }
        let objects: SQL =
            insert.shape == .object
            ? "(select " + .deferred + "::jsonb)" : "jsonb_array_elements(" + .deferred + "::jsonb)"
        return objects + " as _given(object), jsonb_populate_record(null::" + target + ", "
            + defaults.joined(separator: "") + "_given.object) as _body"
    }
}
