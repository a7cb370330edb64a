import Postgres

/// The maximum size of a response, which PostgreSQL enforces while it makes the JSON.
///
/// Every array of JSON is a part of the response. So an array that exceeds the limit ends the statement before it is
/// complete, and neither PostgreSQL nor the worker ever holds much more than the limit.
public struct ResponseLimit: Sendable, Equatable {
    public let bytes: Int

    /// - Parameter bytes: at least 2.
    public init(bytes: Int = 20_971_520) { self.bytes = max(2, bytes) }

    /// An expression over the rows of a query: true, or the error that `isExceeded` recognizes.
    ///
    /// Aggregates of one query advance together, row by row. `rest.total_bytes` is an aggregate over PostgreSQL's own
    /// addition of bigints: it costs some nanoseconds per row, less than one in a procedural language, and fails on an
    /// overflow. The sizes are scaled so that the limit is the largest bigint.
    ///
    /// - Parameter size: the bytes of one row, an integer expression.
    func keeps(sumOf size: SQL) -> SQL { "rest.total_bytes(" + weighted(size) + ") >= 0" }

    /// The same for the largest row alone.
    func keeps(each size: SQL) -> SQL { "coalesce(max(" + weighted(size) + "), 0) >= 0" }

    /// The same for one number of bytes.
    func keeps(_ size: SQL) -> SQL { weighted(size) + " >= 0" }

    private func weighted(_ size: SQL) -> SQL { "(" + size + ") * \(literal: Int.max / (bytes - 1))" }

    /// Whether PostgreSQL refused a statement because of a response limit.
    public static func isExceeded(_ refusal: PostgresError.Refusal) -> Bool {
        refusal.sqlState == "22003" && arithmetic.contains(refusal.reportedBy ?? "")
    }

    /// PostgreSQL's functions for bigint + bigint and integer * bigint. Clients cannot use arithmetic.
    private static let arithmetic: Set<String> = ["int8pl", "int48mul"]
}
