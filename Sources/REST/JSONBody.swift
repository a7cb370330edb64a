import HTTP

/// The body of a write: JSON text that goes to PostgreSQL as it is, and what a plan must know of it.
public struct JSONBody: Sendable, Equatable {
    public var text: String
    public var outline: Outline

    /// All of a body a plan depends on: bodies of one outline are written by one statement.
    public struct Outline: Sendable, Hashable {
        public var shape: Shape
        /// Names of the members of the first object, sorted.
        public var keys: [String]
        /// Whether every object has these keys and no other.
        public var keysMatch: Bool
    }

    public enum Shape: Sendable, Hashable {
        case object
        /// Arrays of no, one and several objects.
        case none, one, several
    }

    /// The body of a POST, PATCH or PUT; nil for methods that take none.
    ///
    /// - Parameter resource: a function without arguments is called without a body too.
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
    fileprivate init(_ bytes: [UInt8]) throws(JSONWalk.Malformed) {
        var walk = JSONWalk(bytes)
        if walk.next == UInt8(ascii: "{") {
            self.init(shape: .object, keys: Set(try walk.names()).sorted(), keysMatch: true)
        } else {
            var first: [String]?
            var count = 0
            var match = true
            try walk.array { walk throws(JSONWalk.Malformed) in
                let names = try walk.names()
                count += 1
                // Nearly always the same names in the same order, which is cheaper to see than equal sets.
                if let first { match = match && (names == first || Set(names) == Set(first)) } else { first = names }
            }
            let shape: JSONBody.Shape = count == 0 ? .none : count == 1 ? .one : .several
            self.init(shape: shape, keys: Set(first ?? []).sorted(), keysMatch: match)
        }
        try walk.end()
    }
}
