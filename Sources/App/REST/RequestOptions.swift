import HTTP
import Postgres
import REST

/// The headers of this product that change how a write is carried out.
struct RequestOptions {
    /// Nil for a read, and for a write without the headers of an action.
    var action: ActionTime?
    /// Whether the client imports links.
    let isImport: Bool

    init(_ headers: Headers, _ plan: Plan) throws(QueryError) {
        action = plan.isRead ? nil : try ActionTime(headers)
        isImport = try ImportHeader(headers) == .import
    }

    /// The transaction-local settings that triggers read.
    var settings: [Identity.Setting] {
        (action?.settings ?? []) + (isImport ? [ImportHeader.setting] : [])
    }
}
