import Postgres

/// The `order` parameter: `column[.asc|.desc][.nullsfirst|.nullslast],…`.
public struct Ordering: Sendable, Equatable {
    public var terms: [Term] = []

    public struct Term: Sendable, Equatable {
        public var column: String
        public var isDescending = false
        /// Nulls last for ascending, first for descending unless told, as PostgreSQL has it.
        public var nullsFirst: Bool?
    }

    public init() {}

    public init(_ text: String) throws(QueryError) {
        for part in text.split(separator: ",") {
            let words = part.trimmed.split(separator: ".", omittingEmptySubsequences: false)
            var term = Term(column: Selection.unquoted(words[0]))
            for word in words.dropFirst() {
                switch word {
                case "asc": term.isDescending = false
                case "desc": term.isDescending = true
                case "nullsfirst": term.nullsFirst = true
                case "nullslast": term.nullsFirst = false
                default:
                    throw .malformed(
                        part: "order (\(text))", details: "expected asc, desc, nullsfirst or nullslast, found \(word)")
                }
            }
            guard words.count <= 3, !term.column.isEmpty else {
                throw .malformed(part: "order (\(text))", details: "expected column[.asc|.desc][.nullsfirst|.nullslast]")
            }
            terms.append(term)
        }
        guard terms.count <= 50 else { throw .tooComplex("an order of \(terms.count) columns") }
    }

    func sql(of table: Catalog.Table) throws(QueryError) -> SQL {
        guard !terms.isEmpty else { return "" }
        var parts: [SQL] = []
        for term in terms {
            guard let column = table.column(term.column) else {
                throw .unknownColumn(table: table.name, column: term.column)
            }
            var part = SQL.name(table.name, column.name)
            if term.isDescending { part += " desc" }
            // Where there are no nulls their place means nothing, and saying it would keep the planner from the index.
            if column.isNullable, let nullsFirst = term.nullsFirst { part += nullsFirst ? " nulls first" : " nulls last" }
            parts.append(part)
        }
        return " order by " + parts.joined(separator: ", ")
    }
}
