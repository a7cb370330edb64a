/// The header `Content-Range` of a response: the places of its rows among all rows, as PostgREST writes them
/// (`0-24/3573`, `*/3573` without rows, `0-24/*` where the total is not asked for).
struct ContentRange: Equatable, Sendable, CustomStringConvertible {
    /// The place of the first row, from 0.
    var offset: Int
    /// The number of rows in the response.
    var count: Int
    /// The number of all rows; nil if it was not asked for.
    var total: Int?

    /// The range of a response to a write, which names no places.
    static func written(total: Int?) -> ContentRange { ContentRange(offset: 0, count: 0, total: total) }

    var description: String {
        let all = total.map(String.init) ?? "*"
        return count > 0 ? "\(offset)-\(offset + count - 1)/\(all)" : "*/\(all)"
    }
}
