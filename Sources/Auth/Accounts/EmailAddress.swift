/// The syntax of e-mail addresses. The check catches typing errors; only a mail can show whether an address works.
enum EmailAddress {
    /// One `@`, a local part of 1 to 64 bytes, a host of letters, digits, hyphens and dots; at most 254 bytes
    /// (RFC 5321 section 4.5.3.1), no blanks, no control characters.
    static func isPlausible(_ text: String) -> Bool {
        guard text.utf8.count <= 254 else { return false }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return false }
        let isPrintable = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.value > 0x20 && $0.value != 0x7F
        }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        let isHost = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-"
                }
        }
        return isPrintable && isHost && !parts[0].contains(where: { "<>()[],;:\\\"".contains($0) })
    }
}
