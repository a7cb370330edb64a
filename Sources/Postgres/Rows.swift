import CPostgres

/// The rows one statement answered with; freed when the last holder lets go. Stays on the thread that made it.
public final class Rows {
    private let handle: OpaquePointer

    init(adopting handle: OpaquePointer) { self.handle = handle }
    deinit { PQclear(handle) }

    public var count: Int { Int(PQntuples(handle)) }

    /// Rows an INSERT, UPDATE or DELETE touched.
    public var affected: Int {
        guard let text = PQcmdTuples(handle) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// Text of a cell, or nil for SQL NULL. `row` and `column` must exist.
    public func text(_ row: Int, _ column: Int) -> String? {
        bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A whole number in a cell, or nil for SQL NULL and text that is no number.
    public func int(_ row: Int, _ column: Int) -> Int? { text(row, column).flatMap { Int($0) } }

    public func bool(_ row: Int, _ column: Int) -> Bool? { text(row, column).map { $0 == "t" } }

    /// The cell's bytes, valid while the rows live; nil for SQL NULL.
    public func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        precondition(row < count && column < Int(PQnfields(handle)), "a cell outside the rows was asked for")
        guard PQgetisnull(handle, Int32(row), Int32(column)) == 0,
            let start = PQgetvalue(handle, Int32(row), Int32(column))
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }
}
