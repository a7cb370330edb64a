/// The rows that a request asks for by `limit` and `offset` or by the `Range` header. If it has both, their
/// intersection.
public struct RowRange: Sendable, Equatable {
    public var offset = 0
    public var limit: Int?

    public init(offset: Int = 0, limit: Int? = nil) {
        self.offset = offset
        self.limit = limit
    }

    /// Applies the parameter `limit` or `offset`. A negative offset is no offset, as in PostgREST.
    mutating func narrow(_ name: String, _ text: String) throws(QueryError) {
        guard let number = try Self.number(name, text) else { return }
        guard name == "limit" else { return offset = max(0, number) }
        guard number >= 0 else { throw .badRange("Limit should be greater than or equal to zero.") }
        limit = number
    }

    /// Applies the `Range` header, `a-b` or `a-`. Other forms are ignored, as HTTP requires for unknown units.
    mutating func narrow(range: String) throws(QueryError) {
        guard let (first, last) = Self.header(range) else { return }
        if let last, first > last {
            throw .badRange("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
        }
        intersect(first: first, last: last)
    }

    private mutating func intersect(first: Int, last: Int?) {
        let ownLast = limit.map { offset.addingReportingOverflow($0 - 1).partialValue }
        let start = max(offset, first)
        let ends = [ownLast, last].compactMap { $0 }
        offset = start
        limit = ends.min().map { max(0, $0 - start + 1) }
    }

    private static func number(_ name: String, _ text: String) throws(QueryError) -> Int? {
        guard !text.isEmpty else { return nil }
        guard let number = Int(text), number < Int(Int32.max) else {
            throw .malformed(part: "\(name) parameter (\(text))", details: "expected a whole number")
        }
        return number
    }

    /// `a-b` or `a-`, also after `items=`.
    private static func header(_ text: String) -> (first: Int, last: Int?)? {
        let spec = text.hasPrefix("items=") ? text.dropFirst(6) : text[...]
        let parts = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Int(parts[0].trimmed), first >= 0, first < Int(Int32.max) else {
            return nil
        }
        if parts[1].trimmed.isEmpty { return (first, nil) }
        guard let last = Int(parts[1].trimmed), last < Int(Int32.max) else { return nil }
        return (first, last)
    }
}
