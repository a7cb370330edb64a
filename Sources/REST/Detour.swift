import Postgres

/// The second way of a request that learns on the first that a page, or a link, goes by another name.
///
/// Such names are rare, so what looks for them is not in everybody's statement: a save of a known page fails on its key,
/// and an alias finds no row. Both leave nothing behind.
extension Plan {
    /// The statement of the second way; nil where there is none.
    public func detour() throws(QueryError) -> SQL? {
        switch action {
        case .insert(let insert):
            guard table.name == "links", !insert.isPut, !insert.columns.isEmpty else { return nil }
            return try write(savingAgain(insert), countsInserted: true)
        case .call(let call):
            // Once more: what the other one made is there now.
            return call.function.isVolatile ? try sql() : nil
        case .read, .update, .delete:
            return try throughAliases()?.sql()
        }
    }

    /// Whether the first way ended where the second begins.
    public func needsDetour(after error: PostgresError) -> Bool {
        guard case .refused(let refusal) = error else { return false }
        switch action {
        case .insert, .call: return refusal.sqlState == "23505" && Self.namesOfPages.contains(refusal.constraint ?? "")
        // One row was asked for, and there was none.
        case .read, .update, .delete: return refusal.sqlState == "LR116" && refusal.detail == "0"
        }
    }

    /// What a save breaks whose page is there: its key, or before that an id the client gave, which may be taken.
    private static let namesOfPages: Set<String> = ["links_user_id_dedupe_key", "links_pkey"]

    /// Whether the second way is worth another try: somebody saved the same page at the same moment.
    public func isOvertaken(_ error: PostgresError) -> Bool {
        guard case .refused(let refusal) = error, refusal.sqlState == "23505" else { return false }
        return !isRead && refusal.constraint == "links_user_id_dedupe_key"
    }

    /// The same, of an answer: whether there was nothing in it.
    public func needsDetour(after rows: Rows) -> Bool {
        switch action {
        case .insert, .call: false
        case .read: rows.int(0, 1) == 0
        // Rows that a newer action kept as they are have been found.
        case .update, .delete: rows.int(0, 1) == 0 && (rows.int(0, 4) ?? 0) == 0
        }
    }

    /// Whether the second way may change rows that are there although the request inserts.
    public var detourIsMerging: Bool {
        if case .insert = action { true } else { false }
    }

    /// Inserts by the function that knows what saving a known page does (sql/schema/saving.sql).
    private func savingAgain(_ insert: Insert) -> SQL {
        """
        select (page.saved).*, page.is_new as _inserted from rest.save_links(
            \(SQL.later)::jsonb, \(array: insert.columns)::text[], \(preferences.resolution?.rawValue),
            \(array: insert.conflictTarget ?? [])::text[], \(insert.fillsDefaults)) as page
        """
    }

    /// The plan with its links asked for by their other names; nil where none is asked for by a name.
    ///
    /// Any request may use a former id. Only a change may use another spelling: who reads by an address wants to know
    /// what is saved under just that.
    private func throughAliases() -> Plan? {
        guard table.name == "links" else { return nil }
        var plan = self
        plan.reading.filters = reading.filters.map { condition in
            guard case .term(var filter) = condition, filter.field.path.isEmpty, case .compare(.eq, let value) = filter.test else {
                return condition
            }
            switch filter.field.column {
            case "id": filter.test = .hasAlias(kind: "id", value.lowercased())
            case "raw_url" where action != .read: filter.test = .hasAlias(kind: "spelling", value)
            default: return condition
            }
            filter.field = Field(column: "id")
            return .term(filter)
        }
        return plan.reading.filters == reading.filters ? nil : plan
    }
}
