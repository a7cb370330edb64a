import Postgres

/// A filter `field operator value`.
public struct Filter: Sendable, Equatable {
    public var field: Field
    public var test: Test

    public init(field: Field, test: Test) {
        self.field = field
        self.test = test
    }

    public enum Test: Sendable, Equatable {
        case compare(Comparison, String)
        /// `op(any).{a,b}` and `op(all).{a,b}`.
        case compareEach(Comparison, Quantifier, [String])
        case isIn([String])
        case isState(State)
        case fullText(FullText, configuration: String?, String)
        /// Equal to any value of a subquery. Clients cannot write it; the product puts it into plans.
        case isAny(of: SQL)
    }

    public enum Comparison: String, Sendable, CaseIterable {
        case eq, neq, gt, gte, lt, lte, like, ilike, match, imatch, isdistinct
        /// For arrays and ranges: contains, contained in, overlaps, left of, right of, not right of, not left of,
        /// adjacent.
        case cs, cd, ov, sl, sr, nxr, nxl, adj

        var takesQuantifier: Bool {
            switch self {
            case .eq, .gt, .gte, .lt, .lte, .like, .ilike, .match, .imatch: true
            default: false
            }
        }

        /// In `like` and `ilike` clients write `*` instead of `%`, which has to be escaped in a URL.
        func pattern(_ value: String) -> String {
            guard self == .like || self == .ilike else { return value }
            var pattern = String.UnicodeScalarView()
            for scalar in value.unicodeScalars { pattern.append(scalar == "*" ? "%" : scalar) }
            return String(pattern)
        }
    }

    public enum Quantifier: String, Sendable {
        case any, all
    }

    public enum State: String, Sendable, CaseIterable {
        case null, notNull = "not_null", isTrue = "true", isFalse = "false", unknown
    }

    public enum FullText: String, Sendable, CaseIterable {
        case fts, plfts, phfts, wfts
    }
}
