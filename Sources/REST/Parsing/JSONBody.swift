import HTTP
import JSON

/// The body of a write: JSON text that PostgreSQL parses, and its outline for the plan.
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

    /// The body of a POST, PATCH or PUT; nil for other methods.
    ///
    /// - Parameter resource: for a function an empty body means no arguments.
    public init?(of request: Request, for resource: Resource) throws(QueryError) {
        guard ["POST", "PATCH", "PUT"].contains(request.method) else { return nil }
        if let type = request.headers["content-type"]?.split(separator: ";").first?.trimmed.lowercased(),
            !["", "application/json", "text/json"].contains(type), !type.hasSuffix("+json")
        {
            throw .badBody("Content-Type not acceptable: \(type)")
        }
        if case .function = resource, request.body.isEmpty {
            try self.init(Array("{}".utf8))
        } else {
            try self.init(request.body)
        }
    }

    public init(_ bytes: [UInt8]) throws(QueryError) {
        guard !bytes.isEmpty else { throw .badBody("Empty or invalid json") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badBody("The body is not UTF-8") }
        self.text = text
        do { outline = try Outline(bytes) } catch {
            throw .badBody("Empty or invalid json: expected an object or an array of objects")
        }
    }
}

extension JSONBody.Outline {
    fileprivate init(_ bytes: [UInt8]) throws(JSONReader.Malformed) {
        var walk = JSONReader(bytes)
        if walk.next == UInt8(ascii: "{") {
            self.init(shape: .object, keys: Set(try walk.names()).sorted(), keysMatch: true)
        } else {
            var first: [String]?
            var count = 0
            var match = true
            try walk.array { walk throws(JSONReader.Malformed) in
                let names = try walk.names()
                count += 1
                // The names are nearly always in the same order, which is cheaper to compare than sets.
                if let first { match = match && (names == first || Set(names) == Set(first)) } else { first = names }
            }
            let shape: JSONBody.Shape = count == 0 ? .none : count == 1 ? .one : .several
            self.init(shape: shape, keys: Set(first ?? []).sorted(), keysMatch: match)
        }
        try walk.end()
    }
}
