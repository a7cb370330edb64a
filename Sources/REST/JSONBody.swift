import FoundationEssentials

/// The body of a write: JSON text that goes to PostgreSQL as it is, and what the plan must know of it.
public struct JSONBody: Sendable, Equatable {
    public var text: String
    public var shape: Shape
    /// Names of the members, sorted; the same in every object.
    public var keys: [String]

    public enum Shape: Sendable, Equatable {
        case object
        /// An array of so many objects.
        case array(count: Int)
    }

    /// - Parameter mustMatch: whether all objects must have the same keys; not so when `columns` names them.
    public init(_ bytes: [UInt8], keysMustMatch: Bool) throws(QueryError) {
        guard !bytes.isEmpty else { throw .badBody("Empty or invalid json") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badBody("The body is not UTF-8") }
        self.text = text
        let outline: Outline
        do {
            outline = try JSONDecoder().decode(Outline.self, from: Data(bytes))
        } catch {
            throw .badBody("Empty or invalid json: expected an object or an array of objects")
        }
        switch outline {
        case .object(let keys):
            shape = .object
            self.keys = keys.sorted()
        case .objects(let all):
            shape = .array(count: all.count)
            let first = all.first ?? []
            if keysMustMatch, !all.allSatisfy({ $0 == first }) { throw .unequalKeys }
            keys = first.sorted()
            // PostgreSQL has no statement for several rows of defaults, and no table of ours takes one.
            if keysMustMatch, keys.isEmpty, all.count > 1 { throw .badBody("Several empty objects") }
        }
    }

    /// Only the names of the members: their values are PostgreSQL's to read.
    private enum Outline: Decodable {
        case object(Set<String>)
        case objects([Set<String>])

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                var all: [Set<String>] = []
                while !list.isAtEnd {
                    all.append(Set(try list.nestedContainer(keyedBy: Name.self).allKeys.map(\.stringValue)))
                }
                self = .objects(all)
            } else {
                self = .object(Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)))
            }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
