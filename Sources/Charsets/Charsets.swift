/// Bytes of a page → text. Decides which encoding they are in the way browsers do, then repairs the declarations that
/// are plainly wrong.
public enum Charsets {
    public struct Decoded: Equatable, Sendable {
        /// Without a byte order mark; invalid bytes are U+FFFD.
        public var text: String
        /// Name of the encoding that was used, as `TextDecoder` spells it: `utf-8`, `windows-1252`, `shift_jis`, …
        public var charset: String
    }

    /// Never fails: what cannot be read in the chosen encoding becomes U+FFFD.
    ///
    /// The order is: byte order mark, `headerLabel`, declaration in the page (meta or XML), detection, windows-1252.
    /// The text is at most three times as long as `bytes`; the search for a declaration and the detection look at the
    /// first 64 KB only.
    /// - Parameter headerLabel: the charset parameter of the Content-Type header, as written.
    public static func decode(_ bytes: [UInt8], headerLabel: String?) -> Decoded {
        if let (mark, encoding) = byteOrderMark(of: bytes) { return convert(bytes[mark...], from: encoding) }

        let header = headerLabel.flatMap { Encoding(label: $0) }.flatMap { isPlausible($0, for: bytes) ? $0 : nil }
        let declared = Prescan.declaration(in: bytes[...])
        guard let claimed = header ?? declared else { return undeclared(bytes) }

        guard let valid = String(validating: bytes, as: UTF8.self) else {
            return convert(bytes[...], from: claimed == .utf8 ? secondOpinion(on: bytes, declared: declared) : claimed)
        }
        return claimed == .utf8 || isUTF8DespiteClaim(valid, claimed)
            ? Decoded(text: valid, charset: Encoding.utf8.name) : convert(bytes[...], from: claimed)
    }

    // MARK: - Steps

    /// What is left after the mark begins at `mark`.
    private static func byteOrderMark(of bytes: [UInt8]) -> (mark: Int, Encoding)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (3, .utf8) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (2, .utf16BE) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (2, .utf16LE) }
        return nil
    }

    /// Text in UTF-16 has zeros in its markup; a header that claims UTF-16 for text without any is wrong.
    private static func isPlausible(_ encoding: Encoding, for bytes: [UInt8]) -> Bool {
        guard encoding == .utf16BE || encoding == .utf16LE else { return true }
        return bytes.count < 4 || bytes.prefix(1_024).contains(0)
    }

    private static func undeclared(_ bytes: [UInt8]) -> Decoded {
        // ISO-2022-JP looks like ASCII but for its escapes, so those go to the detector.
        if !bytes.contains(0x1B), let text = String(validating: bytes, as: UTF8.self) {
            return Decoded(text: text, charset: Encoding.utf8.name)
        }
        return convert(bytes[...], from: Detection.guess(bytes[...]) ?? .windows1252)
    }

    /// The header says UTF-8, the bytes do not agree. Where the page itself says otherwise and hardly anything is UTF-8,
    /// the page is right; else a few broken characters are just that.
    private static func secondOpinion(on bytes: [UInt8], declared: Encoding?) -> Encoding {
        guard let declared, declared != .utf8, isPlausible(declared, for: bytes) else { return .utf8 }
        var broken = 0
        var whole = 0
        var decoder = UTF8()
        var source = bytes.prefix(Prescan.longestSearch).makeIterator()
        reading: while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar): whole += scalar.value >= 0x80 ? 1 : 0
            case .error: broken += 1
            case .emptyInput: break reading
            }
        }
        return broken > whole ? declared : .utf8
    }

    /// Text of another encoding is hardly ever valid UTF-8 by chance. It takes more of it in encodings whose letters lie
    /// where UTF-8 has its leading and following bytes.
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
