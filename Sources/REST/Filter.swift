import Postgres

/// One condition of a query, or several joined by and/or.
public indirect enum Condition: Sendable, Equatable {
    case term(Filter)
    case all([Condition])
    case any([Condition])
    case not(Condition)
}

/// `field operator value`.
public struct Filter: Sendable, Equatable {
    public var field: Field
    public var test: Test

    public enum Test: Sendable, Equatable {
        case compare(Comparison, String)
        /// `op(any).{a,b}` and `op(all).{a,b}`.
        case compareEach(Comparison, Quantifier, [String])
        case isIn([String])
        case isState(State)
        case fullText(FullText, configuration: String?, String)
        /// Of a link's id: the link has this for another name, of a kind of `link_aliases`.
        case hasAlias(kind: String, String)
    }

    public enum Comparison: String, Sendable, CaseIterable {
        case eq, neq, gt, gte, lt, lte, like, ilike, match, imatch, isdistinct
        /// Of arrays and ranges: contains, contained in, overlaps, left of, right of, and not beyond or adjacent.
        case cs, cd, ov, sl, sr, nxr, nxl, adj

        /// Fixed text of our own; never from outside.
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

        /// In `like` and `ilike` clients write `*` for `%`, which a URL would have to escape.
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

extension Condition {
    /// The condition as SQL over the rows of `scope`.
    func sql(in scope: Scope) throws(QueryError) -> SQL {
        switch self {
        case .term(let filter): return try filter.sql(in: scope)
        case .not(let condition): return "not (" + (try condition.sql(in: scope)) + ")"
        case .all(let conditions): return try Self.joined(conditions, by: " and ", in: scope)
        case .any(let conditions):
            if let keyset = try keyset(in: scope) { return keyset }
            return try Self.joined(conditions, by: " or ", in: scope)
        }
    }

    private static func joined(_ conditions: [Condition], by word: SQL, in scope: Scope) throws(QueryError) -> SQL {
        var parts: [SQL] = []
        for condition in conditions { parts.append(try condition.sql(in: scope)) }
        return "(" + parts.joined(separator: word) + ")"
    }

    /// `or(a.lt.X,and(a.eq.X,b.lt.Y))`, the next page of a list ordered by a and b, is `(a, b) < (X, Y)`: the same rows
    /// in one range of an index, where PostgreSQL would collect and sort two.
    private func keyset(in scope: Scope) throws(QueryError) -> SQL? {
        guard case .any(let either) = self, either.count == 2,
            case .term(let beyond) = either[0], case .compare(let strict, let first) = beyond.test,
            strict == .lt || strict == .gt,
            case .all(let both) = either[1], both.count == 2,
            case .term(let same) = both[0], same.field == beyond.field, same.test == .compare(.eq, first),
            case .term(let tie) = both[1], case .compare(let last, let second) = tie.test,
            strict == .lt ? last == .lt || last == .lte : last == .gt || last == .gte
        else { return nil }
        let left: SQL = "(" + (try beyond.field.sql(in: scope)) + ", " + (try tie.field.sql(in: scope)) + ")"
        return left + last.sql + "(\(first), \(second))"
    }
}

extension Filter {
    func sql(in scope: Scope) throws(QueryError) -> SQL {
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
        case .hasAlias(let kind, let value):
            return name + " = any(array(select link_id from public.link_aliases where md5(value) = md5(\(value)) and value = \(value) and kind = \(kind)))"
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
