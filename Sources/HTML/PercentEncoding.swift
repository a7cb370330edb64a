/// Percent-encoding of URL parts. What is encoded already stays as it is.
public enum PercentEncoding {
    /// Source: https://url.spec.whatwg.org/#percent-encoded-bytes
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
                case 0x20, 0x22, 0x23, 0x3C, 0x3E, 0x3F, 0x60, 0x7B, 0x7D: return true
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

    /// The bytes that a text of `%41` and the like stands for; what is no such reference stays.
    public static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// The same of a text; bytes that make no characters become U+FFFD.
    public static func decoded(_ text: String) -> String {
        String(decoding: decode(Array(text.utf8)[...]), as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

/// Host names as URLs spell them: lower case, other scripts in punycode.
enum HTMLHostName {
    private static func isPlain(_ byte: UInt8) -> Bool {
        isASCIILetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// nil for a name no URL may have.
    static func normalise(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // A name has at most 253 bytes (RFC 1035); percent-encoding may treble them, other scripts a little more.
        guard text.count <= 2_000 else { return nil }
        // Nearly all names are plain.
        if !text.isEmpty, text.allSatisfy(isPlain) { return text.map(lowercase) }
        if text.first == UInt8(ascii: "[") { return normaliseIPv6(text) }
        let name = String(decoding: PercentEncoding.decode(text), as: UTF8.self).lowercased()
        let labels = name.unicodeScalars.split(omittingEmptySubsequences: false) { fullStops.contains($0) }
        // A label has at most 63 bytes in punycode, which takes a byte or more for each of its characters.
        guard labels.allSatisfy({ $0.count <= 63 || $0.allSatisfy(\.isASCII) }) else { return nil }
        let ascii = labels.map { label in
            label.allSatisfy(\.isASCII) ? String(String.UnicodeScalarView(label)) : "xn--" + punycode(Array(label))
        }.joined(separator: ".")
        let forbidden = ascii.utf8.contains { $0 <= 0x20 || $0 == 0x7F || forbiddenCharacters.contains($0) }
        return forbidden ? nil : Array(ascii.utf8)
    }

    private static func normaliseIPv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let lowered = text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        let digits = lowered.dropFirst().dropLast()
        let isAddress = digits.allSatisfy { $0 >= 0x30 && $0 <= 0x3A || $0 >= 0x61 && $0 <= 0x66 || $0 == 0x2E }
        return lowered.last == UInt8(ascii: "]") && !digits.isEmpty && isAddress ? lowered : nil
    }

    /// Full stops of all scripts separate labels. Source: https://www.unicode.org/reports/tr46/
    private static let fullStops: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    /// Source: https://url.spec.whatwg.org/#forbidden-domain-code-point
    private static let forbiddenCharacters = Set("#/:<>?@[\\]^|%".utf8)

    /// Source: RFC 3492, section 6.3, with the parameters of its section 5.
    private static func punycode(_ label: [Unicode.Scalar]) -> String {
        var output = label.filter(\.isASCII).map { Character($0) }
        let basic = output.count
        if basic > 0 { output.append("-") }
        var codePoint: UInt32 = 128
        var delta = 0
        var bias = 72
        var handled = basic
        while handled < label.count {
            // There is a larger scalar as long as not all are handled.
            guard let next = label.lazy.map(\.value).filter({ $0 >= codePoint }).min() else { break }
            delta += Int(next - codePoint) * (handled + 1)
            codePoint = next
            for scalar in label {
                if scalar.value < codePoint { delta += 1 }
                guard scalar.value == codePoint else { continue }
                appendNumber(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            codePoint += 1
        }
        return String(output)
    }

    private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")

    private static func appendNumber(_ number: Int, bias: Int, to output: inout [Character]) {
        var rest = number
        var position = 36
        while true {
            let threshold = min(max(position - bias, 1), 26)
            if rest < threshold { break }
            output.append(digits[threshold + (rest - threshold) % (36 - threshold)])
            rest = (rest - threshold) / (36 - threshold)
            position += 36
        }
        output.append(digits[rest])
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
