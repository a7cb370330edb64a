import CICU

/// Host names in letters beyond ASCII.
public enum InternationalHost {
    /// What is left out of a host name, as nobody sees it: soft hyphen, joiners that only mark, variation selectors, byte
    /// order mark.
    private static let invisible: Set<Unicode.Scalar> =
        Set("\u{AD}\u{34F}\u{200B}\u{2060}\u{FEFF}".unicodeScalars).union((0xFE00...0xFE0F).compactMap(Unicode.Scalar.init))

    /// The host with one spelling for letters that are the same to a reader: lower case, compatibility forms unified, the
    /// full stops of East Asia as dots. The mapping of IDNA without its exceptions (UTS 46, section 4), and just what
    /// `rest.canonical_host` does in the database.
    public static func mapped(_ host: String) -> String {
        let lower = nfkc(host).unicodeScalars.map { Unicode.Scalar(UInt32(bitPattern: cicu_lower(Int32(bitPattern: $0.value)))) ?? $0 }
        var mapped = String.UnicodeScalarView()
        for scalar in nfkc(String(String.UnicodeScalarView(lower))).unicodeScalars where !invisible.contains(scalar) {
            mapped.append(scalar == "\u{3002}" ? "." : scalar)
        }
        return String(mapped)
    }

    /// The text itself where ICU cannot help: then two spellings stay two.
    private static func nfkc(_ text: String) -> String {
        let units = Array(text.utf16)
        // The longest expansion of one character is eighteen (Unicode standard, annex 15, section 9).
        var result = [UInt16](repeating: 0, count: units.count * 18 + 1)
        var status = U_ZERO_ERROR
        let length = cicu_nfkc(units, Int32(units.count), &result, Int32(result.count), &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue else { return text }
        return String(decoding: result[..<Int(length)], as: UTF16.self)
    }
}
