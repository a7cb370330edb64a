extension JSON {
    /// The maximum nesting of a value.
    private static let maximumDepth = 200

    /// Parses one value, surrounded by nothing but white space. Returns nil for anything else, and for more than 200
    /// levels of nesting.
    public init?(parsing text: some Sequence<UInt8>) {
        var reader = JSONReader(Array(text))
        do throws(JSONReader.Malformed) {
            self = try JSON(&reader, depth: 0)
            try reader.end()
        } catch {
            return nil
        }
    }

    /// Parses JSON that people write by hand into pages, see ``JSONReader/Grammar/handwritten``. What follows the value is
    /// ignored. Returns nil if the text is truncated or has any other error.
    public init?(parsingLeniently text: [UInt8]) {
        var reader = JSONReader(text, .handwritten)
        do throws(JSONReader.Malformed) { self = try JSON(&reader, depth: 0) } catch { return nil }
    }

    private init(_ reader: inout JSONReader, depth: Int) throws(JSONReader.Malformed) {
        guard depth < Self.maximumDepth else { throw JSONReader.Malformed() }
        switch reader.next {
        case UInt8(ascii: "{"):
            var members: [Member] = []
            try reader.object { name, reader throws(JSONReader.Malformed) in
                members.append(Member(name, try JSON(&reader, depth: depth + 1)))
            }
            self = .object(members)
        case UInt8(ascii: "["):
            var values: [JSON] = []
            try reader.array { reader throws(JSONReader.Malformed) in values.append(try JSON(&reader, depth: depth + 1))
            }
            self = .array(values)
        case UInt8(ascii: "\""):
            self = .string(String(decoding: try reader.stringBytes() ?? [], as: UTF8.self))
        case UInt8(ascii: "t"):
            _ = try reader.slice()
            self = .bool(true)
        case UInt8(ascii: "f"):
            _ = try reader.slice()
            self = .bool(false)
        case UInt8(ascii: "n"):
            _ = try reader.slice()
            self = .null
        default:
            self = try JSON(number: reader.slice())
        }
    }

    /// A number beyond the range of `Double` becomes the greatest finite one.
    private init(number text: ArraySlice<UInt8>) throws(JSONReader.Malformed) {
        guard let number = Double(String(decoding: text, as: UTF8.self)) else { throw JSONReader.Malformed() }
        self = .number(min(max(number, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
    }
}
