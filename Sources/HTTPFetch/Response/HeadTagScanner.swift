/// Returns the relevant start tags of a page's head in order.
struct HeadTagScanner {
    /// Source: https://amp.dev/documentation/guides-and-tutorials/learn/spec/amphtml (required markup)
    static let ampAttributes = ["amp", "⚡", "⚡\u{FE0F}"]

    private var bytes: ArraySlice<UInt8>

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func next() -> (name: String, attributes: [String: String])? {
        while let open = bytes.firstIndex(of: UInt8(ascii: "<")) {
            bytes = bytes[(open + 1)...]
            if bytes.starts(with: "!--".utf8) {
                skip(past: "-->")
                continue
            }
            let isEnd = bytes.first == UInt8(ascii: "/")
            if isEnd { bytes = bytes.dropFirst() }
            let name = takeName()
            switch name {
            case "body": return nil
            case "head" where isEnd: return nil
            case "meta" where !isEnd, "link" where !isEnd, "html" where !isEnd: return (name, takeAttributes())
            // The content of these elements is text, even if it looks like markup.
            case "script", "style", "title", "textarea", "template", "xmp", "iframe", "noembed", "noframes":
                if !isEnd { skip(past: "</" + name) }
            default:
                continue
            }
        }
        return nil
    }

    private mutating func skip(past end: String) {
        let end = Array(end.utf8)
        while !bytes.isEmpty {
            guard let start = bytes.firstIndex(of: end[0]) else { break }
            bytes = bytes[start...]
            if bytes.count >= end.count, zip(bytes, end).allSatisfy({ Self.lower($0) == $1 }) {
                bytes = bytes.dropFirst(end.count)
                return
            }
            bytes = bytes.dropFirst()
        }
        bytes = []
    }

    private mutating func takeName() -> String {
        let name = bytes.prefix { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
        bytes = bytes.dropFirst(name.count)
        return String(decoding: name.map(Self.lower), as: UTF8.self)
    }

    /// Reads the attributes up to and including `>`. The first of several attributes with the same name counts.
    private mutating func takeAttributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            bytes = bytes.drop { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
            guard let next = bytes.first, next != UInt8(ascii: ">") else { return attributes }
            let name = bytes.prefix { !Self.isBlank($0) && !"=>/".utf8.contains($0) }
            bytes = bytes.dropFirst(max(name.count, 1)).drop(while: Self.isBlank)
            let key = String(decoding: name.map(Self.lower), as: UTF8.self)
            var value = ""
            if bytes.first == UInt8(ascii: "=") {
                bytes = bytes.dropFirst().drop(while: Self.isBlank)
                value = takeValue()
            }
            if attributes[key] == nil { attributes[key] = value }
        }
    }

    private mutating func takeValue() -> String {
        let value: ArraySlice<UInt8>
        if let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            bytes = bytes.dropFirst()
            value = bytes.prefix { $0 != quote }
            bytes = bytes.dropFirst(value.count + 1)
        } else {
            value = bytes.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
            bytes = bytes.dropFirst(value.count)
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// Decodes the character references that occur in URLs. The rest of the 2,231 names do not occur in redirects.
    static func decoded(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            let name = rest.dropFirst().prefix { $0 != ";" && $0 != "&" }
            let isClosed = rest.dropFirst(1 + name.count).first == ";"
            if isClosed, name.count <= 8, let character = character(named: name) {
                result.append(character)
                rest = rest.dropFirst(name.count + 2)
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(named name: Substring) -> Character? {
        switch name.lowercased() {
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        case "lt": return "<"
        case "gt": return ">"
        case let number where number.hasPrefix("#x"):
            return UInt32(number.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map(Character.init)
        case let number where number.hasPrefix("#"):
            return UInt32(number.dropFirst()).flatMap(Unicode.Scalar.init).map(Character.init)
        default: return nil
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }
}
