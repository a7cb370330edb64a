/// Serializes the host of a URL as browsers do: lower case, labels beyond ASCII in Punycode.
/// Source: https://url.spec.whatwg.org/#host-parsing
enum URLHost {
    /// - Returns: nil for a host that no URL may have.
    static func normalized(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // A name has at most 253 bytes (RFC 1035); percent-encoding may treble them, other scripts need a little more.
        guard text.count <= 2_000 else { return nil }
        // Fast path for nearly all names.
        if !text.isEmpty, text.allSatisfy(isPlain) { return text.map(lowercased) }
        if text.first == UInt8(ascii: "[") { return normalizedIPv6(text) }
        let name = PercentEncoding.decoded(String(decoding: text, as: UTF8.self)).lowercased()
        let dotted = String.UnicodeScalarView(name.unicodeScalars.map { fullStops.contains($0) ? "." : $0 })
        guard let ascii = Punycode.toASCII(String(dotted)) else { return nil }
        let isForbidden = ascii.utf8.contains { $0 <= 0x20 || $0 == 0x7F || forbiddenCharacters.contains($0) }
        return isForbidden ? nil : Array(ascii.utf8)
    }

    private static func normalizedIPv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let lowered = text.map(lowercased)
        let digits = lowered.dropFirst().dropLast()
        let isAddress = digits.allSatisfy { $0 >= 0x30 && $0 <= 0x3A || $0 >= 0x61 && $0 <= 0x66 || $0 == 0x2E }
        return lowered.last == UInt8(ascii: "]") && !digits.isEmpty && isAddress ? lowered : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Characters of all scripts that separate labels. Source: https://www.unicode.org/reports/tr46/
    private static let fullStops: Set<Unicode.Scalar> = ["\u{3002}", "\u{FF0E}", "\u{FF61}"]
    /// Source: https://url.spec.whatwg.org/#forbidden-domain-code-point
    private static let forbiddenCharacters = Set("#/:<>?@[\\]^|%".utf8)
}
