/// The parsed `select` parameter: columns with their aliases and casts, and embedded relations.
public struct Selection: Sendable, Equatable {
    public var items: [Item]

    public enum Item: Sendable, Equatable {
        /// `*`: every column.
        case everything
        case field(Field, alias: String?, cast: String?)
        /// `count`, `alias:count` or `alias:count()`: the number of rows. `isCall`: with parentheses, so it cannot be a
        /// column of that name.
        case count(alias: String?, cast: String?, isCall: Bool)
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

    /// The maximum number of columns and relations of one request, and the maximum nesting depth of relations. No table
    /// has as many columns.
    static let maxItems = 200
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
        var isQuoted = scanner.peek == "\""
        var field = try scanner.field()
        var alias: String?
        scanner.skipBlanks()
        if field.path.isEmpty, scanner.peek == ":", !scanner.isBefore("::") {
            _ = scanner.take(":")
            scanner.skipBlanks()
            alias = field.column
            isQuoted = scanner.peek == "\""
            field = try scanner.field()
            scanner.skipBlanks()
        }
        let isCount = !isQuoted && field == Field(column: "count")
        if isCount, scanner.take("()") {
            // Aggregates are refused, as by a PostgREST with its default settings. Only the number of rows under a name
            // of the client's is answered, like `count` without parentheses.
            guard let alias, !isSpread else { throw .aggregatesRefused }
            return .count(alias: alias, cast: try scanner.cast(), isCall: true)
        }
        if scanner.peek == "(" || scanner.peek == "!" {
            guard field.path.isEmpty else { throw scanner.error("a JSON path cannot name a relation") }
            return .relation(
                try relation(field.column, alias, isSpread: isSpread, &scanner, depth: depth, &count))
        }
        let cast = try scanner.cast()
        if scanner.take(".") {
            let word = scanner.takeWhile { $0.properties.isAlphabetic }
            if ["avg", "count", "max", "min", "sum"].contains(word), scanner.isBefore("()") {
                throw .aggregatesRefused
            }
            throw scanner.error("expected a comma")
        }
        guard !isSpread else { throw scanner.error("only a relation can be spread") }
        if isCount { return .count(alias: alias, cast: cast, isCall: false) }
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

    /// A list of names `a,"b",c`, as in `columns` and `on_conflict`. It contains at least one.
    static func names(_ text: String, of parameter: String) throws(QueryError) -> [String] {
        var scanner = QueryScanner(text, part: "\(parameter) parameter (\(text))")
        var names: [String] = []
        var known: Set<String> = []
        repeat {
            scanner.skipBlanks()
            let name = try scanner.name()
            if known.insert(name).inserted { names.append(name) }
            guard names.count <= maxItems else {
                throw .tooComplex("A parameter \(parameter) of more than \(maxItems) names")
            }
            scanner.skipBlanks()
        } while scanner.take(",")
        try scanner.expectEnd()
        return names
    }
}
