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

        var sql: SQL {
            switch self {
            case .eq: " = "
            case .neq: " <> "
            case .gt: " > "
            case .gte: " >= "
            case .lt: " < "
            case .lte: " <= "
            case .like: " like "
            case .ilike: " ilike "
            case .match: " ~ "
            case .imatch: " ~* "
            case .isdistinct: " is distinct from "
            case .cs: " @> "
            case .cd: " <@ "
            case .ov: " && "
            case .sl: " << "
            case .sr: " >> "
            case .nxr: " &< "
            case .nxl: " &> "
            case .adj: " -|- "
            }
        }

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

        var sql: SQL {
            switch self {
            case .null: " is null"
            case .notNull: " is not null"
            case .isTrue: " is true"
            case .isFalse: " is false"
            case .unknown: " is unknown"
            }
        }
    }

    public enum FullText: String, Sendable, CaseIterable {
        case fts, plfts, phfts, wfts

        var sql: SQL {
            switch self {
            case .fts: "to_tsquery"
            case .plfts: "plainto_tsquery"
            case .phfts: "phraseto_tsquery"
            case .wfts: "websearch_to_tsquery"
            }
        }
    }
}

extension Filter {
    func sql(in scope: TableScope) throws(QueryError) -> SQL {
        let name = try field.sql(in: scope)
        switch test {
        case .compare(let comparison, let value):
            return name + comparison.sql + .bind(comparison.pattern(value))
        case .compareEach(let comparison, let quantifier, let values):
            let patterns = values.map(comparison.pattern)
            let word: SQL = quantifier == .any ? "any" : "all"
            return name + comparison.sql + word + "(\(array: patterns))"
        case .isIn(let values):
            return name + " = any(\(array: values))"
        case .isState(let state):
            return name + state.sql
        case .isAny(let query):
            return name + " = any(array(" + query + "))"
        case .fullText(let function, let configuration, let words):
            let isVector = field.path.isEmpty && scope.table.column(field.column)?.type == "tsvector"
            guard let configuration else {
                return (isVector ? name : "to_tsvector(" + name + ")") + " @@ " + function.sql + "(\(words))"
            }
            let vector: SQL = isVector ? name : "to_tsvector(\(configuration)::regconfig, " + name + ")"
            return vector + " @@ " + function.sql + "(\(configuration)::regconfig, \(words))"
        }
    }
}
