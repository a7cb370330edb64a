/// The id of a row: a UUID in lower case.
struct RowID: Equatable, Sendable {
    let text: String

    /// Nil for a text that is not a UUID.
    init?(_ text: String) {
        let text = text.lowercased()
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        guard lengths == [8, 4, 4, 4, 12],
            text.utf8.allSatisfy({
                ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
                    || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f"))
                    || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        self.text = text
    }
}
