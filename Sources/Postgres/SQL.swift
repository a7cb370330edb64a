/// A statement and its binds, built by string interpolation: a value can only become a bind, a name only a quoted
/// identifier, so no text from outside ever becomes SQL.
///
/// ```swift
/// var sql: SQL = "select * from \(name: table) where id = \(id)"   // … where id = $1
/// sql += " limit \(20)"                                            // … limit $2
/// ```
public struct SQL: Sendable, Equatable {
    /// One bind in libpq's text format; nil is SQL NULL.
    public typealias Bind = String?

    fileprivate var pieces: [Piece] = []

    fileprivate enum Piece: Sendable, Equatable {
        case text(String)
        case bind(Bind)
    }

    public init() {}

    /// The statement with `$1`, `$2`, … in place of its binds, and the binds in that order.
    public func rendered() -> (text: String, binds: [Bind]) {
        var text = ""
        var binds: [Bind] = []
        for piece in pieces {
            switch piece {
            case .text(let part):
                text += part
            case .bind(let value):
                binds.append(value)
                text += "$\(binds.count)"
            }
        }
        return (text, binds)
    }

    public var text: String { rendered().text }
    public var binds: [Bind] { rendered().binds }
    public var isEmpty: Bool { pieces.isEmpty }

    public static func += (left: inout SQL, right: SQL) { left.pieces += right.pieces }

    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// An identifier, always quoted, so that any name is only ever a name.
    public static func name(_ identifier: String) -> SQL { "\(name: identifier)" }

    /// A schema-qualified identifier.
    public static func name(_ schema: String, _ identifier: String) -> SQL { "\(name: schema).\(name: identifier)" }

    /// A value as a bind.
    public static func bind(_ value: Bind) -> SQL { "\(value)" }
}

extension Sequence<SQL> {
    /// The statements joined by `separator`, their binds in order.
    public func joined(separator: SQL) -> SQL {
        var result = SQL()
        var first = true
        for part in self {
            if !first { result += separator }
            result += part
            first = false
        }
        return result
    }
}

extension SQL: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.text(literal)) }
        }

        /// A value, as a bind. Everything PostgreSQL reads from text may be given as text.
        public mutating func appendInterpolation(_ value: String?) { pieces.append(.bind(value)) }
        public mutating func appendInterpolation(_ value: Int?) { pieces.append(.bind(value.map(String.init))) }
        public mutating func appendInterpolation(_ value: Bool?) { pieces.append(.bind(value.map { $0 ? "true" : "false" })) }

        /// Several values, as one bind in PostgreSQL's array syntax.
        public mutating func appendInterpolation(array values: [String]) { pieces.append(.bind(SQL.array(values))) }

        /// An identifier.
        public mutating func appendInterpolation(name: String) { pieces.append(.text(SQL.quoted(name))) }

        /// Another statement, spliced in with its binds.
        public mutating func appendInterpolation(_ sql: SQL) { pieces += sql.pieces }
    }

    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    public init(stringLiteral value: String) { pieces = value.isEmpty ? [] : [.text(value)] }

    /// `"` doubled inside `"…"`: PostgreSQL's own rule for identifiers.
    private static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// `{"a","b"}` with `\` before `"` and `\`: PostgreSQL's array input syntax, every element quoted so that `NULL`
    /// and blanks stay text.
    private static func array(_ values: [String]) -> String {
        var text = "{"
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            text += "\""
            for character in value.unicodeScalars {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
            text += "\""
        }
        return text + "}"
    }
}

extension SQL: CustomStringConvertible, CustomDebugStringConvertible {
    /// The statement with its binds hidden, fit for a log.
    public var description: String {
        pieces.map { piece in
            switch piece {
            case .text(let part): part
            case .bind: "****"
            }
        }.joined()
    }

    public var debugDescription: String { description }
}
