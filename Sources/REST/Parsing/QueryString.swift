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
    public init(_ text: String) throws(QueryError) {
        parameters = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let pieces = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(pieces[0])
            let value = pieces.count == 2 ? try Self.decode(pieces[1]) : ""
            parameters.append(Parameter(name: name, value: value))
        }
        guard parameters.count <= Self.maxParameters else {
            throw .tooComplex("A query of \(parameters.count) parameters")
        }
    }

    /// The first value of a parameter.
    public subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    private static func decode(_ text: Substring.UTF8View.SubSequence) throws(QueryError) -> String {
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
                guard let high = index < text.endIndex ? hexValue(text[index]) : nil,
                    let second = text.index(index, offsetBy: 1, limitedBy: text.endIndex), second < text.endIndex,
                    let low = hexValue(text[second])
                else { throw .malformed(part: "query", details: "a percent sign without two hexadecimal digits") }
                bytes.append(high << 4 | low)
                index = text.index(after: second)
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self) else {
            throw .malformed(part: "query", details: "the text is not UTF-8 or contains a NUL character")
        }
        return decoded
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
