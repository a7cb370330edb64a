/// The `order` parameter: `column[.asc|.desc][.nullsfirst|.nullslast],…`. Instead of a column, `relation(column)` names
/// one of an embedded relation.
public struct Ordering: Sendable, Equatable {
    public var terms: [Term] = []

    public struct Term: Sendable, Equatable {
        /// The name or alias of the embedded relation that has the field; nil for a field of the table itself.
        public var relation: String?
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
        if term.field.path.isEmpty, scanner.take("(") {
            term.relation = term.field.column
            term.field = try scanner.field()
            try scanner.expect(")")
        }
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
}
