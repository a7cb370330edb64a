import Postgres

/// The `select` parameter: which columns, under which names, as which types.
public struct Selection: Sendable, Equatable {
    public var items: [Item]

    public enum Item: Sendable, Equatable {
        /// `*`: every column.
        case everything
        case column(name: String, alias: String?, cast: String?)
        /// `count`: the number of rows, by way of backward compatibility.
        case count
    }

    public static let everything = Selection(items: [.everything])

    /// Most columns one request may name.
    private static let mostItems = 200

    /// - Parameter table: tells a column named `count` from the word.
    public init(_ text: String, of table: Catalog.Table) throws(QueryError) {
        items = []
        let compact = Self.withoutBlanks(text)
        guard !compact.isEmpty else {
            items = [.everything]
            return
        }
        for part in try Self.split(compact) { items.append(try Self.item(part, of: table)) }
        guard items.count <= Self.mostItems else { throw .tooComplex("a selection of \(items.count) columns") }
    }

    init(items: [Item]) { self.items = items }

    var isCount: Bool { items == [.count] }

    /// `[alias:]column[::type]`.
    private static func item(_ text: Substring, of table: Catalog.Table) throws(QueryError) -> Item {
        if text == "*" { return .everything }
        if text.contains("(") {
            let relation = text.prefix { $0 != "(" }.split(separator: ":").last.map(String.init) ?? ""
            if text.hasSuffix("()") { throw .aggregatesRefused }
            throw .unknownRelation(table: table.name, relation: relation.split(separator: "!").first.map(String.init) ?? relation)
        }
        var rest = text
        var cast: String?
        if let range = Self.lastDoubleColon(rest) {
            cast = String(rest[range.upperBound...])
            rest = rest[..<range.lowerBound]
        }
        var alias: String?
        if let colon = rest.firstIndex(of: ":") {
            alias = unquoted(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        let name = unquoted(rest)
        guard !name.isEmpty, alias != "" else {
            throw .malformed(part: "select parameter (\(text))", details: "expected [alias:]column[::type]")
        }
        if name == "count", alias == nil, cast == nil, table.column("count") == nil { return .count }
        if let cast, !castable.contains(cast) {
            throw .malformed(part: "select parameter (\(text))", details: "unknown type \(cast)")
        }
        return .column(name: name, alias: alias, cast: cast)
    }

    /// Types a client may ask for: a cast's name stands in SQL as it is, so it comes from this list only.
    private static let castable: Set<String> = [
        "text", "varchar", "int", "int2", "int4", "int8", "integer", "smallint", "bigint", "float4", "float8", "real",
        "numeric", "bool", "boolean", "uuid", "date", "time", "timestamp", "timestamptz", "json", "jsonb",
    ]

    /// The columns as SQL.
    ///
    /// - Parameter listsEverything: whether `*` is written out, because what is selected from has columns of its own.
    func sql(of table: Catalog.Table, listsEverything: Bool) throws(QueryError) -> SQL {
        var parts: [SQL] = []
        for item in items {
            switch item {
            case .everything:
                if listsEverything {
                    parts += table.columns.map { .name(table.name, $0.name) }
                } else {
                    parts.append(.name(table.name) + ".*")
                }
            case .column(let name, let alias, let cast):
                guard table.column(name) != nil else { throw .unknownColumn(table: table.name, column: name) }
                var part = SQL.name(table.name, name)
                if let cast { part = "cast(" + part + " as " + .name("pg_catalog", Self.systemName(cast)) + ")" }
                if alias != nil || cast != nil { part += " as " + .name(alias ?? name) }
                parts.append(part)
            case .count:
                guard isCount else { throw .aggregatesRefused }
                parts.append("count(*) as count")
            }
        }
        return parts.joined(separator: ", ")
    }

    /// The catalog's name of a type's SQL name.
    private static func systemName(_ type: String) -> String {
        switch type {
        case "int", "integer": "int4"
        case "smallint": "int2"
        case "bigint": "int8"
        case "real": "float4"
        case "boolean": "bool"
        default: type
        }
    }

    // MARK: - Reading

    /// Drops blanks outside quotes.
    private static func withoutBlanks(_ text: String) -> String {
        var isQuoted = false
        return String(
            text.filter { character in
                if character == "\"" { isQuoted.toggle() }
                return isQuoted || !character.isWhitespace
            })
    }

    /// Splits at the commas outside quotes and parentheses.
    private static func split(_ text: String) throws(QueryError) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "\"": isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where !isQuoted: depth -= 1
            case "," where !isQuoted && depth == 0:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        guard !isQuoted, depth == 0 else {
            throw .malformed(part: "select parameter (\(text))", details: "quotes or parentheses are not balanced")
        }
        parts.append(text[start...])
        return parts
    }

    private static func lastDoubleColon(_ text: Substring) -> Range<Substring.Index>? {
        var index = text.startIndex
        var isQuoted = false
        var found: Range<Substring.Index>?
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == "\"" { isQuoted.toggle() }
            if !isQuoted, text[index] == ":", next < text.endIndex, text[next] == ":" {
                found = index..<text.index(after: next)
            }
            index = next
        }
        return found
    }

    static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}
