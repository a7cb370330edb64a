/// Reads a URL that is embedded in another URL: plain, percent-encoded, or base64, alone or within other data.
enum WrappedURL {
    /// Returns the absolute http(s) URL in a value; nil if there is none.
    static func read(_ value: [UInt8]) -> String? {
        guard value.count >= 10 else { return nil }
        // Encoded once, or twice if one redirect is nested in another.
        var text = value
        for _ in 0..<3 {
            if isWeb(text[...]) { return validURL(text[...]) }
            let decoded = Escapes.decoded(text[...])
            if decoded.count == text.count { break }
            text = decoded
        }
        return firstURL(in: base64(text[...]))
    }

    /// Decodes Proofpoint's version 2 format, which replaces `%` with `-` and `/` with `_`.
    static func fromProofpoint(_ value: [UInt8]) -> [UInt8] {
        Escapes.decoded(
            value.map {
                $0 == UInt8(ascii: "-") ? UInt8(ascii: "%") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
            }[...])
    }

    // MARK: - Steps

    private static func isWeb(_ text: ArraySlice<UInt8>) -> Bool {
        let head = text.prefix(8).map(lowercased)
        return head.starts(with: "http://".utf8) || head.starts(with: "https://".utf8)
    }

    private static func validURL(_ text: ArraySlice<UInt8>) -> String? {
        guard let written = String(validating: text, as: UTF8.self), let url = AbsoluteURL.resolve(written) else {
            return nil
        }
        let split = SplitURL(url)
        return split.isWeb && split.host?.isEmpty == false ? url : nil
    }

    /// Returns the first URL within other data, for example a JSON member, up to the first byte that a URL cannot
    /// contain.
    private static func firstURL(in bytes: [UInt8]) -> String? {
        for start in bytes.indices.dropLast(10)
        where lowercased(bytes[start]) == UInt8(ascii: "h") && isWeb(bytes[start...]) {
            var end = start
            while end < bytes.count, bytes[end] > 0x20, bytes[end] != 0x7F, !"\"<>".utf8.contains(bytes[end]) {
                end += 1
            }
            // Anything after invalid UTF-8 belongs to the surrounding data.
            var text = String(decoding: bytes[start..<end], as: UTF8.self)
            if let broken = text.unicodeScalars.firstIndex(of: "\u{FFFD}") {
                text = String(text.unicodeScalars[..<broken])
            }
            return validURL(Array(text.utf8)[...])
        }
        return nil
    }

    /// Resolves `\/` and `\u0026`, the escapes that JSON uses in URLs; nil for an invalid escape.
    private static func unescaped(_ text: [UInt8]) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "\\")) else { return text }
        var plain: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard let sign = rest.popFirst() else { return nil }
            if sign == UInt8(ascii: "u") {
                let digits = rest.prefix(4)
                guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                    let scalar = Unicode.Scalar(code)
                else { return nil }
                plain.append(contentsOf: Array(String(scalar).utf8))
                rest = rest.dropFirst(4)
            } else if "\"\\/".utf8.contains(sign) {
                plain.append(sign)
            } else {
                plain.append(0x20)
            }
        }
        return plain
    }

    /// Decodes base64 in either alphabet, up to the first byte outside both. Some services add a prefix of one or two
    /// letters. Returns an empty array if the result contains no URL.
    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8] {
        for skipped in 0...2 {
            let raw = decoded(text.dropFirst(skipped))
            // Data other than JSON contains backslashes by coincidence.
            let bytes = unescaped(raw) ?? raw
            if bytes.count >= 10,
                bytes.indices.dropLast(7).contains(where: {
                    bytes[$0] | 0x20 == UInt8(ascii: "h") && isWeb(bytes[$0...])
                })
            {
                return bytes
            }
        }
        return []
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for letter in text {
            guard let value = value(of: letter) else { break }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case 0x41...0x5A: UInt32(letter - 0x41)
        case 0x61...0x7A: UInt32(letter - 0x61 + 26)
        case 0x30...0x39: UInt32(letter - 0x30 + 52)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
