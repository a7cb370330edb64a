import CICU

/// Host names with characters outside ASCII.
public enum InternationalHost {
    /// Invisible characters that are removed from host names: soft hyphen, combining grapheme joiner, zero-width space,
    /// word joiner, byte order mark and variation selectors.
    private static let invisible: Set<Unicode.Scalar> =
        Set("\u{AD}\u{34F}\u{200B}\u{2060}\u{FEFF}".unicodeScalars).union(
            (0xFE00...0xFE0F).compactMap(Unicode.Scalar.init))

    /// Returns the host with one spelling for equivalent characters: in lower case, with compatibility forms unified
    /// and East Asian full stops as dots. This is the mapping of IDNA without its exceptions (UTS 46, section 4). It
    /// does not use ICU's uidna, because the result must equal that of `rest.canonical_host` in the database. The two
    /// differ only in 62 small Cyrillic letters of Unicode 15 (U+1E030 to U+1E06D), which PostgreSQL 15 does not know.
    public static func mapped(_ host: String) -> String {
        var lower = String.UnicodeScalarView()
        for scalar in nfkc(host).unicodeScalars {
            // The only letter whose lower case has two characters. Without the dot it would be another host.
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

    /// Returns the text in normalisation form NFKC, or unchanged if ICU fails.
    private static func nfkc(_ text: String) -> String {
        let units = Array(text.utf16)
        // One character expands to at most eighteen (Unicode standard, annex 15, section 9).
        var result = [UInt16](repeating: 0, count: units.count * 18 + 1)
        var status = U_ZERO_ERROR
        let length = cicu_nfkc(units, Int32(units.count), &result, Int32(result.count), &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue else { return text }
        // Most texts are normalised already, and creating a string from UTF-16 takes longer than everything before it.
        return result[..<Int(length)].elementsEqual(units)
            ? text : String(decoding: result[..<Int(length)], as: UTF16.self)
    }
}
