import Text

/// The parameters of a query string, in order and percent-decoded; `+` is a space.
public struct QueryString: Sendable, Equatable {
    public var parameters: [Parameter]

    public struct Parameter: Sendable, Equatable {
        public var name: String
        public var value: String
    }

    /// The maximum number of parameters of one request: each may be a filter and a term of the SQL statement.
    static let maxParameters = 200

    /// - Throws: `malformed` for an invalid percent escape, invalid UTF-8 or a NUL character.
    public init(_ text: String) throws(QueryError) { try self.init(text, part: "query") }

    /// - Parameter part: the name of the text, for errors: the body of a form has the same syntax.
    init(_ text: String, part: String) throws(QueryError) {
        parameters = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard parameters.count < Self.maxParameters else {
                throw .tooComplex("A \(part) of more than \(Self.maxParameters) parameters")
            }
            let pieces = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(pieces[0], part)
            let value = pieces.count == 2 ? try Self.decode(pieces[1], part) : ""
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// The first value of a parameter.
    public subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The parameters sorted by name, completely percent-encoded.
    ///
    /// - Parameter omitted: the name of a parameter to leave out.
    func canonical(without omitted: String) -> String {
        // Sorted with their places, because sorting alone may exchange parameters of the same name.
        let sorted = parameters.enumerated().filter { $0.element.name != omitted }
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
        return sorted.map { Self.encoded($0.element.name) + "=" + Self.encoded($0.element.value) }
            .joined(separator: "&")
    }

    /// Percent-encodes all characters except the unreserved ones of RFC 3986.
    public static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func decode(
        _ text: Substring.UTF8View.SubSequence, _ part: String
    ) throws(QueryError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let second = text.index(index, offsetBy: 1, limitedBy: text.endIndex), second < text.endIndex,
                    let value = UInt8(hexadecimal: text[index], text[second])
                else { throw .malformed(part: part, details: "a percent sign without two hexadecimal digits") }
                bytes.append(value)
                index = text.index(after: second)
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self) else {
            throw .malformed(part: part, details: "the text is not UTF-8 or contains a NUL character")
        }
        return decoded
    }
}
