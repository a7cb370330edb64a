/// Decodes the bytes of a page to text. Determines the encoding like browsers, and corrects declarations that are
/// evidently wrong.
public enum Charsets {
    public struct Decoded: Equatable, Sendable {
        /// The text without a byte order mark. Invalid bytes are U+FFFD.
        public var text: String
        /// The name of the encoding in the spelling of `TextDecoder`: `utf-8`, `windows-1252`, `shift_jis`, …
        public var charset: String
    }

    /// Never fails: bytes that are invalid in the chosen encoding become U+FFFD.
    ///
    /// The order of precedence is: byte order mark, `headerLabel`, declaration in the page (meta or XML), detection,
    /// windows-1252. The text is at most three times as long as `bytes`. The search for a declaration and the detection
    /// use only the first 64 KB.
    /// - Parameter headerLabel: the charset parameter of the Content-Type header as written.
    public static func decode(_ bytes: [UInt8], headerLabel: String?) -> Decoded {
        if let (mark, encoding) = byteOrderMark(of: bytes) { return convert(bytes[mark...], from: encoding) }

        let header = headerLabel.flatMap { Encoding(label: $0) }.flatMap { isPlausible($0, for: bytes) ? $0 : nil }
        let declared = Prescan.declaration(in: bytes[...])
        guard let claimed = header ?? declared else { return undeclared(bytes) }

        guard let valid = String(validating: bytes, as: UTF8.self) else {
            return convert(
                bytes[...], from: claimed == .utf8 ? encodingOfInvalidUTF8(bytes, declared: declared) : claimed)
        }
        return claimed == .utf8 || isUTF8DespiteClaim(valid, claimed)
            ? Decoded(text: valid, charset: Encoding.utf8.name) : convert(bytes[...], from: claimed)
    }

    // MARK: - Steps

    /// Returns the encoding of the byte order mark and the index of the first byte after it.
    private static func byteOrderMark(of bytes: [UInt8]) -> (mark: Int, Encoding)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (3, .utf8) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (2, .utf16BE) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (2, .utf16LE) }
        return nil
    }

    /// Markup in UTF-16 contains zero bytes. A declaration of UTF-16 for bytes without any is wrong.
    private static func isPlausible(_ encoding: Encoding, for bytes: [UInt8]) -> Bool {
        guard encoding == .utf16BE || encoding == .utf16LE else { return true }
        return bytes.count < 4 || bytes.prefix(1_024).contains(0)
    }

    private static func undeclared(_ bytes: [UInt8]) -> Decoded {
        // ISO-2022-JP looks like ASCII except for its escapes, so bytes with an escape go to the detector.
        if !bytes.contains(0x1B), let text = String(validating: bytes, as: UTF8.self) {
            return Decoded(text: text, charset: Encoding.utf8.name)
        }
        return convert(bytes[...], from: EncodingGuess.encoding(of: bytes[...]) ?? .windows1252)
    }

    /// Chooses the encoding of invalid UTF-8 that was declared as UTF-8. If the page itself declares another encoding
    /// and has more invalid than valid multi-byte characters, the page's declaration counts. Otherwise the text is
    /// UTF-8 with a few damaged characters.
    private static func encodingOfInvalidUTF8(_ bytes: [UInt8], declared: Encoding?) -> Encoding {
        guard let declared, declared != .utf8, isPlausible(declared, for: bytes) else { return .utf8 }
        var invalid = 0
        var valid = 0
        var decoder = UTF8()
        var source = bytes.prefix(Prescan.maxSearchBytes).makeIterator()
        reading: while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar): valid += scalar.value >= 0x80 ? 1 : 0
            case .error: invalid += 1
            case .emptyInput: break reading
            }
        }
        return invalid > valid ? declared : .utf8
    }

    /// Text in another encoding is hardly ever valid UTF-8 by chance. More characters are required for encodings whose
    /// letters have the values of UTF-8's leading and continuation bytes.
    private static func isUTF8DespiteClaim(_ text: String, _ claimed: Encoding) -> Bool {
        guard claimed != .utf16BE, claimed != .utf16LE, claimed != .iso2022JP else { return false }
        let needed = claimed == .windows1252 ? 1 : 8
        var found = 0
        for scalar in text.unicodeScalars where scalar.value >= 0x80 {
            found += 1
            if found == needed { return true }
        }
        return false
    }

    private static func convert(_ bytes: ArraySlice<UInt8>, from encoding: Encoding) -> Decoded {
        Decoded(text: encoding.text(of: bytes), charset: encoding.name)
    }
}
