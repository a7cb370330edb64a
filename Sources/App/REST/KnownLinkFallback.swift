import Postgres
import REST

/// The second statement of a request that names a link by an alias: a former id, or another spelling of its URL.
///
/// Few requests use aliases, so the first statement does not look for them: it fails on a unique key when the page is
/// already saved, and finds no row for an alias. Both leave the database unchanged, so this statement can follow.
struct KnownLinkFallback {
    private(set) var sql: SQL
    private let trigger: Trigger

    private enum Trigger {
        /// The insert or the function failed on one of these unique keys of `links`.
        case duplicateLink(Set<String>)
        /// The statement found no row.
        case noRow(isRead: Bool)
    }

    /// Nil for a plan that needs no fallback.
    init?(_ plan: Plan) throws(QueryError) {
        switch plan.action {
        case .insert(let insert):
            guard plan.reading.table.name == "links", !insert.isPut, !insert.columns.isEmpty else { return nil }
            sql = try plan.sql(replacingWriteBy: Self.save(insert, plan.preferences.resolution), countsInserted: true)
            trigger = .duplicateLink(Self.linkKeys)
        case .call(let call):
            guard call.function.isVolatile else { return nil }
            // The same call again: it now finds the row that a concurrent request inserted.
            sql = try plan.sql()
            trigger = .duplicateLink(Self.linkKeys)
        case .read, .update, .delete:
            guard let aliased = Self.findingAliases(plan) else { return nil }
            sql = try aliased.sql()
            trigger = .noRow(isRead: plan.isRead)
        }
    }

    /// The same statement again, which now finds the row that a concurrent request inserted.
    init(repeating statement: SQL) {
        sql = statement
        trigger = .duplicateLink(Self.linkKeys.union(["links_user_id_raw_url_key"]))
    }

    func filled(with body: String) -> Self {
        var copy = self
        copy.sql = sql.filled(with: body)
        return copy
    }

    // MARK: - When it is used

    /// The constraints that fail when the page is already saved: the key of a URL, and before it the primary key, when
    /// the client chose an id that is taken.
    private static let linkKeys: Set<String> = ["links_user_id_dedupe_key", "links_pkey"]

    func isNeeded(after error: PostgresError) -> Bool {
        guard case .refused(let refusal) = error else { return false }
        switch trigger {
        case .duplicateLink(let keys): return refusal.sqlState == "23505" && keys.contains(refusal.constraint ?? "")
        // One row was asked for, and there was none.
        case .noRow: return refusal.sqlState == "LR116" && refusal.detail == "0"
        }
    }

    func isNeeded(after rows: Rows) -> Bool {
        switch trigger {
        case .duplicateLink: false
        case .noRow(isRead: true): rows.int(0, 1) == 0
        // Superseded rows were found; a newer action left them unchanged.
        case .noRow(isRead: false): rows.int(0, 1) == 0 && (rows.int(0, 4) ?? 0) == 0
        }
    }

    // MARK: - How it runs

    /// Runs the fallback, at most five times: a concurrent request may save the same page, and the next attempt finds
    /// it.
    func rows(running statement: () throws(PostgresError) -> Rows) throws(PostgresError) -> Rows {
        var attempt = 1
        while true {
            do {
                return try statement()
            } catch  where isConcurrentSave(error) && attempt < 5 {
                attempt += 1
            }
        }
    }

    private func isConcurrentSave(_ error: PostgresError) -> Bool {
        guard case .refused(let refusal) = error, refusal.sqlState == "23505" else { return false }
        switch trigger {
        case .duplicateLink(let keys): return keys.subtracting(["links_pkey"]).contains(refusal.constraint ?? "")
        case .noRow(let isRead): return !isRead && refusal.constraint == "links_user_id_dedupe_key"
        }
    }

    // MARK: - Statements

    /// Inserts through the function that merges a save into an existing link.
    static func save(_ insert: Plan.Insert, _ resolution: Preferences.Resolution?) -> SQL {
        """
        select (page.saved).*, page.is_new as _inserted from rest.save_links(
            \(SQL.deferred)::jsonb, \(array: insert.columns)::text[], \(resolution?.rawValue),
            \(array: insert.conflictTarget ?? [])::text[], \(insert.fillsDefaults)) as page
        """
    }

    /// The plan with each name of a link replaced by a look-up among the aliases; nil when it names no link.
    ///
    /// Any request may use a former id. Only a write may use another spelling of a URL: a read by URL asks what is
    /// saved under exactly that URL.
    private static func findingAliases(_ plan: Plan) -> Plan? {
        guard plan.reading.table.name == "links" else { return nil }
        var aliased = plan
        aliased.reading.filters = plan.reading.filters.map { condition in
            guard case .term(let filter) = condition, filter.field.path.isEmpty,
                case .compare(.eq, let value) = filter.test
            else { return condition }
            switch filter.field.column {
            case "id": return linkWithAlias(value.lowercased(), kind: "id")
            case "raw_url" where plan.action != .read: return linkWithAlias(value, kind: "spelling")
            default: return condition
            }
        }
        return aliased.reading.filters == plan.reading.filters ? nil : aliased
    }

    private static func linkWithAlias(_ value: String, kind: String) -> Condition {
        let ids: SQL = """
            select link_id from public.link_aliases
            where md5(value) = md5(\(value)) and value = \(value) and kind = \(kind)
            """
        return .term(Filter(field: Field(column: "id"), test: .isAny(of: ids)))
    }
}
