import Text

/// Percent-encoding of the parts of a URL. A `%` is never encoded, so text that is encoded already does not change.
public enum PercentEncoding {
    /// The percent-encode sets of the URL standard. Source: https://url.spec.whatwg.org/#percent-encoded-bytes
    enum Part {
        case control, fragment, query, path

        func mustEncode(_ byte: UInt8) -> Bool {
            if byte < 0x20 || byte > 0x7E { return true }
            switch self {
            case .control: return false
            case .fragment: return byte == 0x20 || byte == 0x22 || byte == 0x3C || byte == 0x3E || byte == 0x60
            case .query:
                return byte == 0x20 || byte == 0x22 || byte == 0x23 || byte == 0x27 || byte == 0x3C || byte == 0x3E
            case .path:
                switch byte {
                case 0x20, 0x22, 0x23, 0x3C, 0x3E, 0x3F, 0x5E, 0x60, 0x7B, 0x7D: return true
                default: return false
                }
            }
        }
    }

    static func encode(_ text: ArraySlice<UInt8>, _ part: Part) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count)
        for byte in text {
            guard part.mustEncode(byte) else {
                encoded.append(byte)
                continue
            }
            encoded.append(UInt8(ascii: "%"))
            encoded.append(hexadecimal[Int(byte >> 4)])
            encoded.append(hexadecimal[Int(byte & 15)])
        }
        return encoded
    }

    /// Decodes sequences such as `%41`; a `%` without two hexadecimal digits after it stays.
    public static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(hexadecimal: rest[rest.startIndex], rest[rest.startIndex + 1])
            {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// Decodes a text; bytes that are not valid UTF-8 become U+FFFD.
    public static func decoded(_ text: String) -> String {
        String(decoding: decode(Array(text.utf8)[...]), as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
