/// Header fields in order. Names are case-insensitive and stored in lower case.
///
/// It is a list, not a dictionary, because a field may occur several times: two `Prefer` headers form one list.
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

    /// Appends a field. Existing fields of the same name remain.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: value))
    }

    /// Sets a field and removes the existing ones of the same name.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// Removes all fields of a name.
    public mutating func remove(_ name: String) {
        let name = name.lowercased()
        fields.removeAll { $0.name == name }
    }

    /// The first value of a field, or nil if there is none.
    public subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }

    /// All values of a field, in order.
    public func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name == name }.map(\.value)
    }
}
