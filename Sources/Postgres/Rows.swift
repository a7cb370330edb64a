import CPostgres

/// The rows that a statement returned, freed with the last reference. They stay on the thread that made them.
public final class Rows {
    private let handle: OpaquePointer

    init(adopting handle: OpaquePointer) { self.handle = handle }
    deinit { PQclear(handle) }

    public var count: Int { Int(PQntuples(handle)) }

    /// The number of rows that an INSERT, UPDATE or DELETE affected.
    public var affected: Int {
        guard let text = PQcmdTuples(handle) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// The text of a field, or nil for SQL NULL.
    ///
    /// - Precondition: `row` and `column` exist.
    public func text(_ row: Int, _ column: Int) -> String? {
        bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The integer in a field, or nil for SQL NULL and for text that is not an integer.
    public func int(_ row: Int, _ column: Int) -> Int? { text(row, column).flatMap { Int($0) } }

    /// The boolean in a field, or nil for SQL NULL.
    public func bool(_ row: Int, _ column: Int) -> Bool? { text(row, column).map { $0 == "t" } }

    /// The bytes of a field, valid while the rows exist; nil for SQL NULL.
    public func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        precondition(row < count && column < Int(PQnfields(handle)), "row or column out of range")
        guard PQgetisnull(handle, Int32(row), Int32(column)) == 0,
            let start = PQgetvalue(handle, Int32(row), Int32(column))
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }
}
