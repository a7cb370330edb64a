/// Header fields in the order they came; names compare without regard to case and are kept in lower case.
///
/// A field may stand several times (two `Prefer` headers are one list), so this is a list and not a dictionary.
public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public private(set) var fields: [Field] = []

    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Appends a field, keeping those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: value))
    }

    /// Sets a field, replacing those of the same name.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    public mutating func remove(_ name: String) {
        let name = name.lowercased()
        fields.removeAll { $0.name == name }
    }

    /// The first value of a field, or nil when it is absent.
    public subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }

    /// Every value of a field, in order.
    public func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name == name }.map(\.value)
    }
}
