import Postgres

/// The `order` parameter: `column[.asc|.desc][.nullsfirst|.nullslast],…`.
public struct Ordering: Sendable, Equatable {
    public var terms: [Term] = []

    public struct Term: Sendable, Equatable {
        public var field: Field
        public var isDescending = false
        /// Nil: PostgreSQL's default, nulls last for ascending and first for descending order.
        public var nullsFirst: Bool?
    }

    public init() {}

    public init(_ text: String) throws(QueryError) {
        var scanner = QueryScanner(text, part: "order (\(text))")
        scanner.skipBlanks()
        guard !scanner.isAtEnd else { return }
        repeat {
            scanner.skipBlanks()
            terms.append(try Self.term(&scanner))
            scanner.skipBlanks()
        } while scanner.take(",")
        try scanner.expectEnd()
        guard terms.count <= 50 else { throw .tooComplex("An order of \(terms.count) columns") }
    }

    private static func term(_ scanner: inout QueryScanner) throws(QueryError) -> Term {
        var term = Term(field: try scanner.field())
        var words: [String] = []
        while scanner.take(".") { words.append(scanner.takeWhile { $0.properties.isAlphabetic }) }
        if let direction = words.first, direction == "asc" || direction == "desc" {
            term.isDescending = direction == "desc"
            words.removeFirst()
        }
        if let nulls = words.first, nulls == "nullsfirst" || nulls == "nullslast" {
            term.nullsFirst = nulls == "nullsfirst"
            words.removeFirst()
        }
        guard words.isEmpty else { throw scanner.error("expected [.asc|.desc][.nullsfirst|.nullslast]") }
        return term
    }

    func sql(in scope: TableScope) throws(QueryError) -> SQL {
        guard !terms.isEmpty else { return "" }
        var parts: [SQL] = []
        for term in terms {
            var part = try term.field.sql(in: scope)
            if term.isDescending { part += " desc" }
            // For a column without nulls the placement has no effect, but it would keep the planner from using the
            // index.
            let mayBeNull = !term.field.path.isEmpty || scope.table.column(term.field.column)?.isNullable == true
            if mayBeNull, let nullsFirst = term.nullsFirst { part += nullsFirst ? " nulls first" : " nulls last" }
            parts.append(part)
        }
        return " order by " + parts.joined(separator: ", ")
    }
}
