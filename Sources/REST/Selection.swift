/// The `select` parameter as it is written: which columns, under which names, as which types, with which relations.
public struct Selection: Sendable, Equatable {
    public var items: [Item]

    public enum Item: Sendable, Equatable {
        /// `*`: every column.
        case everything
        case field(Field, alias: String?, cast: String?)
        /// `count`: the number of rows, by way of backward compatibility.
        case count
        case relation(Relation)
    }

    /// `[...][alias:]name[!hint][!inner](…)`
    public struct Relation: Sendable, Equatable {
        public var name: String
        public var alias: String?
        /// A foreign key, its column or a table between: which of several relationships is meant.
        public var hint: String?
        public var isInner = false
        /// `...`: its columns stand among those of the table.
        public var isSpread = false
        public var selection: Selection
    }

    public static let everything = Selection(items: [.everything])

    /// Most columns and relations of one request, and how deep relations may be nested.
    private static let mostItems = 200
    private static let deepest = 8

    public init(_ text: String) throws(QueryError) {
        var cursor = QueryScanner(text, part: "select parameter (\(text))")
        cursor.skipBlanks()
        guard !cursor.isAtEnd else {
            items = [.everything]
            return
        }
        var count = 0
        items = try Self.items(&cursor, depth: 0, &count)
        try cursor.expectEnd()
    }

    init(items: [Item]) { self.items = items }

    private static func items(_ cursor: inout QueryScanner, depth: Int, _ count: inout Int) throws(QueryError) -> [Item] {
        guard depth <= deepest else { throw .tooComplex("a selection nested deeper than \(deepest)") }
        var items: [Item] = []
        repeat {
            count += 1
            guard count <= mostItems else { throw .tooComplex("a selection of more than \(mostItems) columns") }
            cursor.skipBlanks()
            items.append(try item(&cursor, depth: depth, &count))
            cursor.skipBlanks()
        } while cursor.take(",")
        return items
    }

    private static func item(_ cursor: inout QueryScanner, depth: Int, _ count: inout Int) throws(QueryError) -> Item {
        if cursor.take("*") { return .everything }
        let isSpread = cursor.take("...")
        let isQuoted = cursor.peek == "\""
        var field = try cursor.field()
        var alias: String?
        cursor.skipBlanks()
        if field.path.isEmpty, cursor.peek == ":", !cursor.isBefore("::") {
            _ = cursor.take(":")
            cursor.skipBlanks()
            alias = field.column
            field = try cursor.field()
            cursor.skipBlanks()
        }
        if cursor.peek == "(" || cursor.peek == "!" {
            if field.column == "count", cursor.isBefore("()") { throw .aggregatesRefused }
            guard field.path.isEmpty else { throw cursor.error("a path leads to no relation") }
            return .relation(
                try relation(field.column, alias, isSpread: isSpread, &cursor, depth: depth, &count))
        }
        if cursor.peek == "." {
            _ = cursor.take(".")
            let word = cursor.takeWhile { $0.properties.isAlphabetic }
            if ["avg", "count", "max", "min", "sum"].contains(word), cursor.isBefore("()") { throw .aggregatesRefused }
            throw cursor.error("expected a comma")
        }
        guard !isSpread else { throw cursor.error("only a relation can be spread") }
        let cast = try cursor.cast()
        if field == Field(column: "count"), !isQuoted, alias == nil, cast == nil { return .count }
        return .field(field, alias: alias, cast: cast)
    }

    private static func relation(
        _ name: String, _ alias: String?, isSpread: Bool, _ cursor: inout QueryScanner, depth: Int, _ count: inout Int
    ) throws(QueryError) -> Relation {
        var relation = Relation(name: name, alias: alias, isSpread: isSpread, selection: Selection(items: []))
        while cursor.take("!") {
            switch try cursor.name() {
            case "inner": relation.isInner = true
            case "left": relation.isInner = false
            case let hint: relation.hint = hint
            }
        }
        try cursor.expect("(")
        cursor.skipBlanks()
        if cursor.peek != ")" { relation.selection.items = try items(&cursor, depth: depth + 1, &count) }
        try cursor.expect(")")
        return relation
    }

    /// `a,"b",c`, as `columns` and `on_conflict` have it.
    static func names(_ text: String, of parameter: String) throws(QueryError) -> [String] {
        var cursor = QueryScanner(text, part: "\(parameter) parameter (\(text))")
        var names: [String] = []
        cursor.skipBlanks()
        guard !cursor.isAtEnd else { return [] }
        repeat {
            cursor.skipBlanks()
            let name = try cursor.name()
            if !names.contains(name) { names.append(name) }
            cursor.skipBlanks()
        } while cursor.take(",")
        try cursor.expectEnd()
        return names
    }
}
