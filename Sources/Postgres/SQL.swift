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

    /// Text before, between and behind the binds: always one more than there are binds.
    fileprivate var segments: [String] = [""]
    public fileprivate(set) var binds: [Bind] = []

    public init() {}

    /// The statement with `$1`, `$2`, … in place of its binds.
    public var text: String {
        var text = segments[0]
        for index in binds.indices { text += "$\(index + 1)" + segments[index + 1] }
        return text
    }

    public var isEmpty: Bool { segments == [""] }

    public static func += (left: inout SQL, right: SQL) {
        left.segments[left.segments.count - 1] += right.segments[0]
        left.segments += right.segments.dropFirst()
        left.binds += right.binds
    }

    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// An identifier, always quoted, so that any name is only ever a name.
    public static func name(_ identifier: String) -> SQL { SQL(stringLiteral: quoted(identifier)) }

    /// A schema-qualified identifier.
    public static func name(_ schema: String, _ identifier: String) -> SQL {
        SQL(stringLiteral: quoted(schema) + "." + quoted(identifier))
    }

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
        fileprivate var sql = SQL()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            sql.segments[sql.segments.count - 1] += literal
        }

        /// A value, as a bind. Everything PostgreSQL reads from text may be given as text.
        public mutating func appendInterpolation(_ value: String?) {
            sql.binds.append(value)
            sql.segments.append("")
        }
        public mutating func appendInterpolation(_ value: Int?) { appendInterpolation(value.map { String($0) }) }
        public mutating func appendInterpolation(_ value: Bool?) {
            appendInterpolation(value.map { $0 ? "true" : "false" })
        }

        /// A number of ours, as text: where the planner must know it, such as a limit. Only ever a whole number.
        public mutating func appendInterpolation(literal number: Int) { appendLiteral(String(number)) }

        /// Several values, as one bind in PostgreSQL's array syntax.
        public mutating func appendInterpolation(array values: [String]) { appendInterpolation(SQL.array(values)) }

        /// An identifier.
        public mutating func appendInterpolation(name: String) { appendLiteral(SQL.quoted(name)) }

        /// Another statement, spliced in with its binds.
        public mutating func appendInterpolation(_ other: SQL) { sql += other }
    }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    public init(stringLiteral value: String) { segments = [value] }

    /// `"` doubled inside `"…"`: PostgreSQL's own rule for identifiers.
    private static func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
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
    public var description: String { segments.joined(separator: "****") }

    public var debugDescription: String { description }
}
