import Postgres
import REST

/// How a write holds the lock on its caller's rows; see sql/schema/write_locks.sql. Otherwise writes of several rows
/// could deadlock, depending on the order in which they find the rows.
enum WriteLock {
    /// For a write of one row and of what belongs to it. It runs beside others of its kind.
    case shared
    /// For a write of several rows, which the caller's other writes wait for.
    case exclusive

    /// - Parameter options: of the same request.
    init(_ plan: Plan, _ options: RequestOptions) {
        self = plan.writesOneRow && options.action?.preparation(for: plan) == nil ? .shared : .exclusive
    }

    /// The call that takes the lock.
    var sql: SQL {
        switch self {
        case .shared: "rest.lock_single_write()"
        case .exclusive: "rest.lock_writes()"
        }
    }
}

extension Plan {
    /// Whether the plan writes at most one row. Deleting a row is not enough: the rows that refer to it are deleted with
    /// it, in any order.
    var writesOneRow: Bool {
        switch action {
        case .read, .delete, .call: false
        case .insert(let insert): insert.shape != .several
        case .update(_, let columns): reading.onlyID != nil && !columns.contains("id")
        }
    }
}
