import HTTP
import JSON

/// The body of a write: JSON text that PostgreSQL parses, and its outline for the plan. Forms and CSV become JSON.
public struct JSONBody: Sendable, Equatable {
    public var text: String
    public var outline: Outline

    /// The properties of a body that its plan depends on. Bodies with the same outline use the same statement.
    public struct Outline: Sendable, Hashable {
        public var shape: Shape
        /// The member names of the first object, sorted.
        public var keys: [String]
        /// Whether all objects have exactly these keys.
        public var keysMatch: Bool
    }

    public enum Shape: Sendable, Hashable {
        case object
        /// Arrays with no, one and several objects.
        case none, one, several
    }

    /// The maximum number of keys of one object.
    static let maxKeys = 200

    /// The body of a POST, PATCH or PUT; nil for other methods.
    ///
    /// - Parameter resource: for a function an empty body means no arguments, and a CSV body has one row.
    public init?(of request: Request, for resource: Resource) throws(QueryError) {
        guard ["POST", "PATCH", "PUT"].contains(request.method) else { return nil }
        let isCall = if case .function = resource { true } else { false }
        let type = request.headers["content-type"]?.split(separator: ";").first?.trimmed.lowercased() ?? ""
        switch type {
        case "", "application/json", "text/json",
            _ where type.hasSuffix("+json"):
            try self.init(isCall && request.body.isEmpty ? Array("{}".utf8) : request.body)
        case "application/x-www-form-urlencoded": try self.init(form: request.body)
        case "text/csv": try self.init(csv: request.body, isCall ? .object : .array)
        default: throw .badBody("Content-Type not acceptable: \(type)")
        }
    }

    public init(_ bytes: [UInt8]) throws(QueryError) {
        guard !bytes.isEmpty else { throw .badBody("Empty or invalid json") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badBody("The body is not UTF-8") }
        self.text = text
        outline = try Outline(bytes)
    }
}

extension JSONBody.Outline {
    fileprivate init(_ bytes: [UInt8]) throws(QueryError) {
        var reader = OutlineReader()
        do { self = try reader.outline(of: bytes) } catch {
            if reader.hasTooManyKeys { throw .badBody("An object has more than \(JSONBody.maxKeys) keys") }
            throw .badBody("Empty or invalid json: expected an object or an array of objects")
        }
    }

    private struct OutlineReader {
        /// Why `outline` failed.
        var hasTooManyKeys = false

        mutating func outline(of bytes: [UInt8]) throws(JSONReader.Malformed) -> JSONBody.Outline {
            var walk = JSONReader(bytes)
            let outline: JSONBody.Outline
            if walk.next == UInt8(ascii: "{") {
                outline = .init(shape: .object, keys: Set(try keys(&walk)).sorted(), keysMatch: true)
            } else {
                var first: [String]?
                var count = 0
                var match = true
                try walk.array { walk throws(JSONReader.Malformed) in
                    let names = try keys(&walk)
                    count += 1
                    guard let known = first else { return first = names }
                    // The names are nearly always in the same order, which is cheaper to compare than sets.
                    match = match && (names == known || Set(names) == Set(known))
                }
                let shape: JSONBody.Shape = count == 0 ? .none : count == 1 ? .one : .several
                outline = .init(shape: shape, keys: Set(first ?? []).sorted(), keysMatch: match)
            }
            try walk.end()
            return outline
        }

        private mutating func keys(_ walk: inout JSONReader) throws(JSONReader.Malformed) -> [String] {
            let names = try walk.names(limit: JSONBody.maxKeys + 1)
            hasTooManyKeys = names.count > JSONBody.maxKeys
            if hasTooManyKeys { throw JSONReader.Malformed() }
            return names
        }
    }
}
