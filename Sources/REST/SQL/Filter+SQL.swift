import Postgres

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

extension Filter.Comparison {
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
}

extension Filter.State {
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

extension Filter.FullText {
    var sql: SQL {
        switch self {
        case .fts: "to_tsquery"
        case .plfts: "plainto_tsquery"
        case .phfts: "phraseto_tsquery"
        case .wfts: "websearch_to_tsquery"
        }
    }
}
