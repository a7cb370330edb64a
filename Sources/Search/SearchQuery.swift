/// A search query, parsed: which links it finds and in which order.
///
/// `SearchQuery(parsing:)` reads the query language of `docs/search.md`. Any text is a query: signs without a meaning are
/// part of words, and quotes and parentheses left open are closed at the end. The database splits and folds words, so
/// that a query and a text are always treated alike; this module only knows the grammar.
public struct SearchQuery: Equatable, Sendable {
    /// The condition that links must fulfil; nil for a query that asks for nothing, which finds every link.
    public var condition: SearchCondition?
    /// The order that the query asks for; nil for the default, which depends on whether the query has words.
    public var order: SearchOrder?

    /// The maximum length of a query, in Unicode scalars.
    public static let maximumLength = 1_000
    /// The maximum number of terms in a query.
    public static let maximumTerms = 60

    public init(_ condition: SearchCondition?, order: SearchOrder? = nil) {
        self.condition = condition
        self.order = order
    }

    /// Parses a query.
    ///
    /// - Throws: `SearchQueryError` for a query that is too long, and for a known key with a value that it cannot take.
    public init(parsing text: String) throws(SearchQueryError) {
        var parser = try SearchQueryParser(text)
        self = try parser.query()
    }
}

/// What a link must have to be found.
public indirect enum SearchCondition: Equatable, Sendable {
    /// At least two conditions, of which none is `all`.
    case all([SearchCondition])
    /// At least two conditions, of which none is `any`.
    case any([SearchCondition])
    case not(SearchCondition)
    /// A word, or the beginning of one. The database splits a word that contains signs into parts side by side.
    case word(String, isPrefix: Bool, in: SearchField?)
    /// Words side by side.
    case phrase(String, in: SearchField?)
    /// A text within the address.
    case address(String)
    case state(SearchState)
    case tag(String)
    /// The name or the id of a collection.
    case collection(String)
    /// A host without `www.`, in lower case.
    case site(String)
    /// Saved before the day, in UTC.
    case before(SearchDay)
    /// Saved on the day or later, in UTC.
    case after(SearchDay)
    case age(SearchComparison, SearchAge)
    case kind(SearchKind)
    /// A language tag in lower case, such as `de`.
    case language(String)
    /// The reading time.
    case minutes(SearchComparison, Int)
}

/// A part of a link to which a word can be restricted.
public enum SearchField: String, Sendable, CaseIterable {
    case title, note
}

/// The values of the key `is`.
public enum SearchState: String, Sendable, CaseIterable {
    case unread, read, archived, starred, failed, pending, highlighted, noted, untagged, broken
}

/// The values of the key `kind`.
public enum SearchKind: String, Sendable, CaseIterable {
    case article, video, audio, pdf, image
}

/// The values of the key `sort`.
public enum SearchOrder: String, Sendable, CaseIterable {
    case newest, oldest, relevance, title, longest, shortest, random
}

/// How a number of a query compares with that of a link.
public enum SearchComparison: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "="
}

/// A span of time before now.
public struct SearchAge: Equatable, Sendable {
    public enum Unit: String, Sendable, CaseIterable {
        case hours = "h"
        case days = "d"
        case weeks = "w"
        case months = "m"
        case years = "y"
    }

    /// 0 to 9999.
    public var count: Int
    public var unit: Unit

    public init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }
}

/// A day of the Gregorian calendar.
public struct SearchDay: Equatable, Sendable {
    /// 1 to 9999.
    public let year: Int
    public let month: Int
    public let day: Int

    /// Nil for a day that does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The first day of `2026`, `2026-01` or `2026-01-31`; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].utf8.count == 4,
            parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        self.init(
            year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
    }

    /// ISO 8601.
    public var text: String {
        func padded(_ number: Int, _ length: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, length - digits.count)) + digits
        }
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }
}
