/// A passage of a text as a highlight stores it.
public struct FoundPassage: Equatable, Sendable {
    public var quote: String
    /// The text directly before the quote, and directly after it.
    public var prefix: String
    public var suffix: String

    /// In UTF-16 units: the context that reader apps commonly store.
    private static let contextLength = 32

    /// - Parameters:
    ///   - range: in UTF-16 units of the text; it is not empty.
    ///   - text: in UTF-16 units.
    init(_ range: Range<Int>, in text: [UInt16]) {
        quote = String(decoding: text[range], as: UTF16.self)
        var before = text[..<range.lowerBound].suffix(Self.contextLength)
        if let first = before.first, UTF16.isTrailSurrogate(first) { before.removeFirst() }
        prefix = String(decoding: before, as: UTF16.self)
        var after = text[range.upperBound...].prefix(Self.contextLength)
        if let last = after.last, UTF16.isLeadSurrogate(last) { after.removeLast() }
        suffix = String(decoding: after, as: UTF16.self)
    }
}

extension HighlightRelocation {
    /// The passage at a place that was found.
    public func passage(at range: Range<Int>) -> FoundPassage { FoundPassage(range, in: text) }
}
