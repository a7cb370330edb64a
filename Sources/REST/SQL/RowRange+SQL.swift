import Postgres

extension RowRange {
    /// The limit is a literal: with a bind PostgreSQL would plan every execution separately to learn that few rows are
    /// wanted. Clients use few different limits but many offsets, so offsets are binds.
    var sql: SQL {
        var sql = SQL()
        if let limit { sql += " limit \(literal: limit)" }
        if offset > 0 { sql += " offset \(offset)::int" }
        return sql
    }
}
