import Postgres

extension Condition {
    /// The embedded relations whose existence the condition tests.
    var testedRelations: Set<String> {
        switch self {
        case .term: []
        case .isMissing(let relation): [relation]
        case .not(let condition): condition.testedRelations
        case .all(let conditions), .any(let conditions):
            conditions.reduce(into: []) { $0.formUnion($1.testedRelations) }
        }
    }

    /// The condition with each null test of a relation in place of the null test of a column of that name.
    func testing(_ isRelation: (String) -> Bool) -> Condition {
        switch self {
        case .term(let filter) where filter.field.path.isEmpty && isRelation(filter.field.column):
            switch filter.test {
            case .isState(.null): .isMissing(relation: filter.field.column)
            case .isState(.notNull): .not(.isMissing(relation: filter.field.column))
            default: self
            }
        case .term, .isMissing: self
        case .not(let condition): .not(condition.testing(isRelation))
        case .all(let conditions): .all(conditions.map { $0.testing(isRelation) })
        case .any(let conditions): .any(conditions.map { $0.testing(isRelation) })
        }
    }

    /// The condition as SQL over the rows of `scope`.
    func sql(in scope: TableScope) throws(QueryError) -> SQL {
        switch self {
        case .term(let filter): return try filter.sql(in: scope)
        case .not(let condition): return "not (" + (try condition.sql(in: scope)) + ")"
        case .isMissing(let relation):
            // A write does not read embedded relations before it changes rows.
            guard let test = scope.missing[relation] else {
                throw .unknownColumn(table: scope.table.name, column: relation)
            }
            return test
        case .all(let conditions): return try Self.joined(conditions, by: " and ", in: scope)
        case .any(let conditions):
            if let keyset = try keyset(in: scope) { return keyset }
            return try Self.joined(conditions, by: " or ", in: scope)
        }
    }

    private static func joined(_ conditions: [Condition], by word: SQL, in scope: TableScope) throws(QueryError) -> SQL
    {
        var parts: [SQL] = []
        for condition in conditions { parts.append(try condition.sql(in: scope)) }
        return "(" + parts.joined(separator: word) + ")"
    }

    /// `or(a.lt.X,and(a.eq.X,b.lt.Y))`, the next page of a list ordered by a and b, as `(a, b) < (X, Y)`: the same
    /// rows, but PostgreSQL reads them as one range of an index instead of collecting and sorting two.
    private func keyset(in scope: TableScope) throws(QueryError) -> SQL? {
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
