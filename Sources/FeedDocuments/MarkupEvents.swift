import Text

/// The tags and texts of a document in memory, in their order, and where they are. A tag that does not end is dropped.
struct MarkupEvents {
    let bytes: [UInt8]
    /// The place of the next event.
    private(set) var position = 0
    /// The place of the last event.
    private(set) var start = 0
    private var openName: String?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil after the last event.
    mutating func next() -> MarkupToken? {
        start = position
        if let name = openName {
            openName = nil
            return .end(name)
        }
        while position < bytes.count {
            start = position
            guard let found = MarkupToken.first(of: bytes[position...], isLast: true) else { break }
            position = found.end
            if found.isEmptyElement, case .start(let name, _)? = found.token { openName = name }
            if let token = found.token { return token }
        }
        position = bytes.count
        return nil
    }
}
