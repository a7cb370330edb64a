import FoundationEssentials
import HTTP
import Postgres

/// The row that the statement of a plan returns, and the response made from it.
public struct StatementResult {
    private let plan: Plan
    private let body: [UInt8]
    /// The rows of the response, or those that a write affected.
    private let count: Int
    /// The rows without limit and offset; nil unless counted.
    private let total: Int?
    /// The inserted rows of an upsert; nil for other statements.
    private let inserted: Int?
    /// The caller's change counter; nil unless the plan reads a table.
    public let changes: Int?
    /// The rows that a write left unchanged because of a newer action of a client.
    public let superseded: Int

    /// - Throws: the errors that depend on the rows: not exactly one row when one was asked for, an offset beyond the
    ///   last row, a PUT whose key differs from its filters.
    public init(_ plan: Plan, _ rows: Rows) throws(QueryError) {
        self.plan = plan
        body = rows.bytes(0, 0).map(Array.init) ?? []
        count = rows.int(0, 1) ?? 0
        total = rows.int(0, 2)
        inserted = rows.int(0, 3)
        changes = plan.action == .read ? rows.int(0, 4) : nil
        superseded = plan.action == .read ? 0 : rows.int(0, 4) ?? 0
        if case .insert(let insert) = plan.action, insert.isPut, count == 0, superseded == 0 { throw .keyOfPut }
        guard plan.isRead else { return }
        if plan.media.kind == .singular, count != 1 { throw .notOneRow(count: count) }
        if let total, plan.preferences.count != nil, plan.reading.range.offset > total {
            throw .offsetBeyondTotal(offset: plan.reading.range.offset, total: total)
        }
    }

    public var response: Response {
        var response = Response(status: status)
        response.headers.add("content-range", contentRange.description)
        if plan.returnsRows {
            response.headers.add("content-type", contentType)
            if !plan.isHead { response.body = body }
        }
        if plan.returnsKey, count == 1, let location { response.headers.add("location", location) }
        if let applied = preferenceApplied { response.headers.add("preference-applied", applied) }
        return response
    }

    private var status: Int {
        switch plan.action {
        case .read:
            guard let total, plan.preferences.count != nil else { return 200 }
            return count < total ? 206 : 200
        case .insert(let insert) where insert.isPut:
            return (inserted ?? 0) > 0 ? 201 : plan.returnsRows ? 200 : 204
        case .insert:
            // Nothing was created: all rows existed, or there were none. `inserted` is nil for a plain insert.
            return plan.preferences.resolution != .ignoreDuplicates && inserted == 0 ? 200 : 201
        case .update, .delete:
            return plan.returnsRows ? 200 : 204
        case .call:
            guard plan.returnsRows else { return 204 }
            guard let total, plan.preferences.count != nil else { return 200 }
            return count < total ? 206 : 200
        }
    }

    private var contentRange: ContentRange {
        let all = plan.preferences.count == nil ? nil : total ?? count
        return switch plan.action {
        case .insert, .delete: .written(total: all)
        case .read, .update, .call: ContentRange(offset: plan.reading.range.offset, count: count, total: all)
        }
    }

    /// The value of a function is sent as plain JSON, whatever `Accept` asks for.
    private var contentType: String {
        if case .call(let call) = plan.action, case .value = call.function.result {
            return MediaType(kind: .array).contentType
        }
        return plan.media.contentType
    }

    /// The `Location` of an inserted row, such as `/links?id=eq.<id>`.
    private var location: String? {
        guard let key = try? JSONDecoder().decode([String: String].self, from: Data(body)) else { return nil }
        let filters = plan.table.primaryKey.map { "\($0)=eq.\(QueryString.encoded(key[$0] ?? ""))" }
        return "/\(plan.table.name)?" + filters.joined(separator: "&")
    }

    /// The preferences that apply to the method, in PostgREST's order.
    private var preferenceApplied: String? {
        let preferences = plan.preferences
        var applied: [String] = []
        if case .insert(let insert) = plan.action, insert.conflictTarget != nil, let resolution = preferences.resolution
        {
            applied.append("resolution=\(resolution.rawValue)")
        }
        if case .insert = plan.action, let missing = preferences.missing {
            applied.append("missing=\(missing.rawValue)")
        }
        if !plan.isRead, let returns = preferences.returns { applied.append("return=\(returns.rawValue)") }
        if let count = preferences.count { applied.append("count=\(count.rawValue)") }
        if let handling = preferences.handling { applied.append("handling=\(handling.rawValue)") }
        if let limit = preferences.maxAffected, preferences.handling == .strict, !plan.isRead {
            applied.append("max-affected=\(limit)")
        }
        return applied.isEmpty ? nil : applied.joined(separator: ", ")
    }
}
