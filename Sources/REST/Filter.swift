import Postgres

/// One condition of a query, or several joined by and/or.
public indirect enum Condition: Sendable, Equatable {
    case term(Filter)
    case all([Condition])
    case any([Condition])
    case not(Condition)
}

/// `column operator value`.
public struct Filter: Sendable, Equatable {
    public var column: String
    public var test: Test

    public enum Test: Sendable, Equatable {
        case compare(Comparison, String)
        /// `op(any).{a,b}` and `op(all).{a,b}`.
        case compareEach(Comparison, Quantifier, [String])
        case isIn([String])
        case isState(State)
        case fullText(FullText, configuration: String?, String)
    }

    public enum Comparison: String, Sendable, CaseIterable {
        case eq, neq, gt, gte, lt, lte, like, ilike, match, imatch, isdistinct

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
            }
        }

        var takesQuantifier: Bool {
            switch self {
            case .neq, .isdistinct: false
            default: true
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
    /// The condition as SQL over the columns of `table`.
    func sql(over table: Catalog.Table) throws(QueryError) -> SQL {
        switch self {
        case .term(let filter): return try filter.sql(over: table)
        case .not(let condition): return "not (" + (try condition.sql(over: table)) + ")"
        case .all(let conditions): return try Self.joined(conditions, by: " and ", over: table)
        case .any(let conditions): return try Self.joined(conditions, by: " or ", over: table)
        }
    }

    private static func joined(
        _ conditions: [Condition], by word: SQL, over table: Catalog.Table
    ) throws(QueryError) -> SQL {
        var parts: [SQL] = []
        for condition in conditions { parts.append(try condition.sql(over: table)) }
        return "(" + parts.joined(separator: word) + ")"
    }
}

extension Filter {
    func sql(over table: Catalog.Table) throws(QueryError) -> SQL {
        guard let known = table.column(column) else { throw .unknownColumn(table: table.name, column: column) }
        let name = SQL.name(table.name, known.name)
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
        case .fullText(let function, let configuration, let words):
            let vector: SQL = known.type == "tsvector" ? name : "to_tsvector(" + name + ")"
            guard let configuration else { return vector + " @@ " + function.sql + "(\(words))" }
            let configured: SQL =
                known.type == "tsvector" ? name : "to_tsvector(\(configuration)::regconfig, " + name + ")"
            return configured + " @@ " + function.sql + "(\(configuration)::regconfig, \(words))"
        }
    }
}
