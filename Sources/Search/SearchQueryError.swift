/// Why a text is not a search query, and where.
public struct SearchQueryError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case tooLong(limit: Int)
        case tooManyTerms(limit: Int)
        /// U+0000, which no text of the database contains.
        case nulCharacter
        /// - Parameter expected: the values that the key takes, in words.
        case badValue(key: String, value: String, expected: String)
        case negatedOrder
    }

    public var reason: Reason
    /// The Unicode scalar at which the error is, counted from 1.
    public var place: Int

    public init(_ reason: Reason, at place: Int) {
        self.reason = reason
        self.place = place
    }

    /// What is wrong, and what to do, in one or two sentences.
    public var message: String {
        switch reason {
        case .tooLong(let limit): "The query has more than \(limit) characters."
        case .tooManyTerms(let limit): "The query has more than \(limit) terms."
        case .nulCharacter: "The query contains the character U+0000."
        case .badValue(let key, let value, let expected):
            value.isEmpty
                ? "The key \(key) has no value. It takes \(expected)."
                : "The key \(key) cannot have the value \(value). It takes \(expected)."
        case .negatedOrder: "An order cannot be negated. Remove the sign before sort."
        }
    }
}
