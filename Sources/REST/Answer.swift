import HTTP
import Postgres

/// What the plan's statement answered, and the response it makes.
public struct Answer {
    private let plan: Plan
    private let body: [UInt8]
    /// Rows of this answer, or touched by a write.
    private let count: Int
    /// Rows without limit and offset, when counted.
    private let total: Int?
    /// New rows of an upsert.
    private let inserted: Int?

    /// - Throws: what can only be known from the rows: not exactly one where one was asked for, an offset beyond all.
    public init(_ plan: Plan, _ rows: Rows) throws(QueryError) {
        self.plan = plan
        body = rows.bytes(0, 0).map(Array.init) ?? []
        count = rows.int(0, 1) ?? 0
        total = rows.int(0, 2)
        inserted = rows.int(0, 3)
        guard plan.action == .read else { return }
        if plan.format == .singular, count != 1 { throw .notOneRow(count: count) }
        if let total, plan.preferences.count != nil, plan.window.offset > total {
            throw .offsetBeyondTotal(offset: plan.window.offset, total: total)
        }
    }

    public var response: Response {
        var response = Response(status: status)
        response.headers.add("content-range", contentRange)
        if plan.returnsRows {
            response.headers.add("content-type", plan.format.contentType)
            if !plan.isHead { response.body = body }
        }
        if let applied = preferenceApplied { response.headers.add("preference-applied", applied) }
        return response
    }

    private var status: Int {
        switch plan.action {
        case .read:
            guard let total, plan.preferences.count != nil else { return 200 }
            return count < total ? 206 : 200
        case .insert(let insert):
            // A merge that found every row already there created nothing.
            let merged = insert.conflictTarget != nil && plan.preferences.resolution == .mergeDuplicates
            return merged && inserted == 0 && count > 0 ? 200 : 201
        case .update, .delete:
            return plan.returnsRows ? 200 : 204
        }
    }

    private var contentRange: String {
        let all = plan.preferences.count == nil ? "*" : String(plan.action == .read ? total ?? count : count)
        switch plan.action {
        case .insert, .delete: return "*/\(all)"
        case .read, .update:
            guard count > 0 else { return "*/\(all)" }
            let first = plan.action == .read ? plan.window.offset : 0
            return "\(first)-\(first + count - 1)/\(all)"
        }
    }

    /// In PostgREST's order; only what had a meaning for this verb.
    private var preferenceApplied: String? {
        let preferences = plan.preferences
        var applied: [String] = []
        if case .insert(let insert) = plan.action, insert.conflictTarget != nil, let resolution = preferences.resolution {
            applied.append("resolution=\(resolution.rawValue)")
        }
        if plan.action != .read, let returns = preferences.returns { applied.append("return=\(returns.rawValue)") }
        if let count = preferences.count { applied.append("count=\(count.rawValue)") }
        if let handling = preferences.handling { applied.append("handling=\(handling.rawValue)") }
        if let most = preferences.maxAffected, preferences.handling == .strict, plan.action != .read {
            applied.append("max-affected=\(most)")
        }
        return applied.isEmpty ? nil : applied.joined(separator: ", ")
    }
}
