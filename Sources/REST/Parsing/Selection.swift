/// The parsed `select` parameter: columns with their aliases and casts, and embedded relations.
public struct Selection: Sendable, Equatable {
    public var items: [Item]

    public enum Item: Sendable, Equatable {
        /// `*`: every column.
        case everything
        case field(Field, alias: String?, cast: String?)
        /// `count`: the number of rows, for backward compatibility.
        case count
        case relation(Relation)
    }

    /// `[...][alias:]name[!hint][!inner](…)`
    public struct Relation: Sendable, Equatable {
        public var name: String
        public var alias: String?
        /// A foreign key, its column or a junction table; selects one of several relationships.
        public var hint: String?
        public var isInner = false
        /// `...`: its columns are added to those of the table.
        public var isSpread = false
        public var selection: Selection
    }

    public static let everything = Selection(items: [.everything])

    /// The maximum number of columns and relations of one request, and the maximum nesting depth of relations.
    private static let maxItems = 200
    private static let maxDepth = 8

    public init(_ text: String) throws(QueryError) {
        var scanner = QueryScanner(text, part: "select parameter (\(text))")
        scanner.skipBlanks()
        guard !scanner.isAtEnd else {
            items = [.everything]
            return
        }
        var count = 0
        items = try Self.items(&scanner, depth: 0, &count)
        try scanner.expectEnd()
    }

    init(items: [Item]) { self.items = items }

    private static func items(
        _ scanner: inout QueryScanner, depth: Int, _ count: inout Int
    ) throws(QueryError) -> [Item] {
        guard depth <= maxDepth else { throw .tooComplex("A selection nested deeper than \(maxDepth)") }
        var items: [Item] = []
        repeat {
            count += 1
            guard count <= maxItems else { throw .tooComplex("A selection of more than \(maxItems) columns") }
            scanner.skipBlanks()
            items.append(try item(&scanner, depth: depth, &count))
            scanner.skipBlanks()
        } while scanner.take(",")
        return items
    }

    private static func item(_ scanner: inout QueryScanner, depth: Int, _ count: inout Int) throws(QueryError) -> Item {
        if scanner.take("*") { return .everything }
        let isSpread = scanner.take("...")
        let isQuoted = scanner.peek == "\""
        var field = try scanner.field()
        var alias: String?
        scanner.skipBlanks()
        if field.path.isEmpty, scanner.peek == ":", !scanner.isBefore("::") {
            _ = scanner.take(":")
            scanner.skipBlanks()
            alias = field.column
            field = try scanner.field()
            scanner.skipBlanks()
        }
        if scanner.peek == "(" || scanner.peek == "!" {
            if field.column == "count", scanner.isBefore("()") { throw .aggregatesRefused }
            guard field.path.isEmpty else { throw scanner.error("a JSON path cannot name a relation") }
            return .relation(
                try relation(field.column, alias, isSpread: isSpread, &scanner, depth: depth, &count))
        }
        if scanner.peek == "." {
            _ = scanner.take(".")
            let word = scanner.takeWhile { $0.properties.isAlphabetic }
            if ["avg", "count", "max", "min", "sum"].contains(word), scanner.isBefore("()") {
                throw .aggregatesRefused
            }
            throw scanner.error("expected a comma")
        }
        guard !isSpread else { throw scanner.error("only a relation can be spread") }
        let cast = try scanner.cast()
        if field == Field(column: "count"), !isQuoted, alias == nil, cast == nil { return .count }
        return .field(field, alias: alias, cast: cast)
    }

    private static func relation(
        _ name: String, _ alias: String?, isSpread: Bool, _ scanner: inout QueryScanner, depth: Int, _ count: inout Int
    ) throws(QueryError) -> Relation {
        var relation = Relation(name: name, alias: alias, isSpread: isSpread, selection: Selection(items: []))
        while scanner.take("!") {
            switch try scanner.name() {
            case "inner": relation.isInner = true
            case "left": relation.isInner = false
            case let hint: relation.hint = hint
            }
        }
        try scanner.expect("(")
        scanner.skipBlanks()
        if scanner.peek != ")" { relation.selection.items = try items(&scanner, depth: depth + 1, &count) }
        try scanner.expect(")")
        return relation
    }

    /// A list of names `a,"b",c`, as in `columns` and `on_conflict`.
    static func names(_ text: String, of parameter: String) throws(QueryError) -> [String] {
        var scanner = QueryScanner(text, part: "\(parameter) parameter (\(text))")
        var names: [String] = []
        scanner.skipBlanks()
        guard !scanner.isAtEnd else { return [] }
        repeat {
            scanner.skipBlanks()
            let name = try scanner.name()
            if !names.contains(name) { names.append(name) }
            scanner.skipBlanks()
        } while scanner.take(",")
        try scanner.expectEnd()
        return names
    }
}
