/// A statement and its binds, built by string interpolation. A value can only become a bind and a name only a quoted
/// identifier, so text from outside never becomes SQL.
///
/// ```swift
/// var sql: SQL = "select * from \(name: table) where id = \(id)"   // … where id = $1
/// sql += " limit \(20)"                                            // … limit $2
/// ```
public struct SQL: Sendable, Equatable {
    /// One bind in libpq's text format; nil is SQL NULL.
    public typealias Bind = String?

    /// The statement with a NUL in place of each bind. The text of a statement cannot contain a NUL.
    fileprivate var marked = ""
    public fileprivate(set) var binds: [Bind] = []
    /// The index of the bind that `filled(with:)` sets.
    fileprivate var deferredBind: Int?

    public init() {}

    /// The statement with `$1`, `$2`, … in place of its binds.
    public var text: String {
        var text: [UInt8] = []
        text.reserveCapacity(marked.utf8.count + 2 * binds.count)
        var number = 0
        for byte in marked.utf8 {
            guard byte == 0 else {
                text.append(byte)
                continue
            }
            number += 1
            text.append(UInt8(ascii: "$"))
            text.append(contentsOf: String(number).utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }

    public var isEmpty: Bool { marked.isEmpty }

    public static func += (left: inout SQL, right: SQL) {
        left.marked += right.marked
        if let index = right.deferredBind { left.deferredBind = left.binds.count + index }
        if !right.binds.isEmpty { left.binds += right.binds }
    }

    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// An identifier, always quoted.
    public static func name(_ identifier: String) -> SQL { SQL(stringLiteral: quoted(identifier)) }

    /// A schema-qualified identifier.
    public static func name(_ schema: String, _ identifier: String) -> SQL {
        SQL(stringLiteral: quoted(schema) + "." + quoted(identifier))
    }

    /// A value as a bind.
    public static func bind(_ value: Bind) -> SQL { "\(value)" }

    /// A bind whose value is set later by `filled(with:)`; NULL until then. A statement has at most one.
    public static let deferred: SQL = {
        var sql: SQL = "\(nil as String?)"
        sql.deferredBind = 0
        return sql
    }()

    /// The statement with its deferred bind set. A statement without a deferred bind is returned unchanged.
    public func filled(with value: String) -> SQL {
        guard let deferredBind else { return self }
        var filled = self
        filled.binds[deferredBind] = value
        return filled
    }
}

extension Sequence<SQL> {
    /// The statements joined by `separator`, with their binds in order.
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
            sql.marked += literal
        }

        /// A value as a bind in PostgreSQL's text format.
        public mutating func appendInterpolation(_ value: String?) {
            sql.binds.append(value)
            sql.marked += "\0"
        }
        public mutating func appendInterpolation(_ value: Int?) { appendInterpolation(value.map { String($0) }) }
        public mutating func appendInterpolation(_ value: Bool?) {
            appendInterpolation(value.map { $0 ? "true" : "false" })
        }

        /// A number as part of the text, where the planner must know it, such as a limit. It is always an integer.
        public mutating func appendInterpolation(literal number: Int) { appendLiteral(String(number)) }

        /// Several values as one bind in PostgreSQL's array syntax.
        public mutating func appendInterpolation(array values: [String]) { appendInterpolation(SQL.array(values)) }

        /// An identifier.
        public mutating func appendInterpolation(name: String) { appendLiteral(SQL.quoted(name)) }

        /// Another statement with its binds.
        public mutating func appendInterpolation(_ other: SQL) { sql += other }
    }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    public init(stringLiteral value: String) { marked = value }

    /// Quotes an identifier by PostgreSQL's rule: `"` is doubled inside `"…"`. A NUL cannot occur in an identifier; it
    /// is removed, because it would count as a bind.
    private static func quoted(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == 0 }) else { return "\"" + name + "\"" }
        var quoted = "\""
        for scalar in name.unicodeScalars where scalar != "\0" {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    /// PostgreSQL's array syntax: `{"a","b"}` with `\` before `"` and `\`. Every element is quoted, so that `NULL` and
    /// blanks remain text.
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
    /// The statement with `****` in place of its binds, for logs.
    public var description: String {
        marked.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "****")
    }

    public var debugDescription: String { description }
}
