import CICU

/// Host names in letters beyond ASCII.
public enum InternationalHost {
    /// What is left out of a host name, as nobody sees it: soft hyphen, joiners that only mark, variation selectors, byte
    /// order mark.
    private static let invisible: Set<Unicode.Scalar> =
        Set("\u{AD}\u{34F}\u{200B}\u{2060}\u{FEFF}".unicodeScalars).union((0xFE00...0xFE0F).compactMap(Unicode.Scalar.init))

    /// The host with one spelling for letters that are the same to a reader: lower case, compatibility forms unified, the
    /// full stops of East Asia as dots. The mapping of IDNA without its exceptions (UTS 46, section 4), and just what
    /// `rest.canonical_host` does in the database; but for 62 small Cyrillic letters of Unicode 15 (U+1E030 to U+1E06D),
    /// which PostgreSQL 15 does not know yet.
    public static func mapped(_ host: String) -> String {
        var lower = String.UnicodeScalarView()
        for scalar in nfkc(host).unicodeScalars {
            // The one letter whose lower case is two: the dot stays, or it would be another host.
            if scalar == "\u{130}" {
                lower.append(contentsOf: "i\u{307}".unicodeScalars)
            } else {
                lower.append(Unicode.Scalar(UInt32(bitPattern: cicu_lower(Int32(bitPattern: scalar.value)))) ?? scalar)
            }
        }
        var mapped = String.UnicodeScalarView()
        for scalar in nfkc(String(lower)).unicodeScalars where scalar.isASCII || !invisible.contains(scalar) {
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
        // Most are what they should be already; making a string of UTF-16 takes longer than all before it.
        return result[..<Int(length)].elementsEqual(units) ? text : String(decoding: result[..<Int(length)], as: UTF16.self)
    }
}
