import Postgres

/// The `order` parameter: `column[.asc|.desc][.nullsfirst|.nullslast],…`.
public struct Ordering: Sendable, Equatable {
    public var terms: [Term] = []

    public struct Term: Sendable, Equatable {
        public var field: Field
        public var isDescending = false
        /// Nulls last for ascending, first for descending unless told, as PostgreSQL has it.
        public var nullsFirst: Bool?
    }

    public init() {}

    public init(_ text: String) throws(QueryError) {
        var cursor = QueryScanner(text, part: "order (\(text))")
        cursor.skipBlanks()
        guard !cursor.isAtEnd else { return }
        repeat {
            cursor.skipBlanks()
            terms.append(try Self.term(&cursor))
            cursor.skipBlanks()
        } while cursor.take(",")
        try cursor.expectEnd()
        guard terms.count <= 50 else { throw .tooComplex("an order of \(terms.count) columns") }
    }

    private static func term(_ cursor: inout QueryScanner) throws(QueryError) -> Term {
        var term = Term(field: try cursor.field())
        var words: [String] = []
        while cursor.take(".") { words.append(cursor.takeWhile { $0.properties.isAlphabetic }) }
        if let direction = words.first, direction == "asc" || direction == "desc" {
            term.isDescending = direction == "desc"
            words.removeFirst()
        }
        if let nulls = words.first, nulls == "nullsfirst" || nulls == "nullslast" {
            term.nullsFirst = nulls == "nullsfirst"
            words.removeFirst()
        }
        guard words.isEmpty else { throw cursor.error("expected [.asc|.desc][.nullsfirst|.nullslast]") }
        return term
    }

    func sql(in scope: Scope) throws(QueryError) -> SQL {
        guard !terms.isEmpty else { return "" }
        var parts: [SQL] = []
        for term in terms {
            var part = try term.field.sql(in: scope)
            if term.isDescending { part += " desc" }
            // Where there are no nulls their place means nothing, and saying it would keep the planner from the index.
            let mayBeNull = !term.field.path.isEmpty || scope.table.column(term.field.column)?.isNullable == true
            if mayBeNull, let nullsFirst = term.nullsFirst { part += nullsFirst ? " nulls first" : " nulls last" }
            parts.append(part)
        }
        return " order by " + parts.joined(separator: ", ")
    }
}
