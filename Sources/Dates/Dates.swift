/// Dates as pages write them, for machines and for people.
public enum Dates {
    /// Clocks run ahead, and somewhere it is tomorrow already: seconds of two days.
    private static let slack = 172_800

    /// The first date a text names, at its beginning or near it.
    ///
    /// ISO 8601 and its relatives, RFC 5322, seconds since 1970; and `6. Mai 2024 um 7.08 Uhr`, `May 6, 2024 at 7:08 a.m. ET`,
    /// `2024年5月6日`, `06/05/2024`: in the given languages by ICU's names, and in English.
    /// - Parameters:
    ///   - languages: BCP 47, the likeliest first; of `06/05/2024` the first decides.
    ///   - now: seconds since 1970; what lies more than two days behind it is no date of a page.
    /// - Returns: nil where there is none, or none that can be: years before 1000, days no month has.
    public static func read(_ text: String, languages: [String] = [], now: Int) -> ParsedDate? {
        let tokens = DateTokens(text)
        guard !tokens.tokens.isEmpty else { return nil }
        let date = MachineDate.read(tokens, zone: zoneInBrackets(text)) ?? NaturalDate.read(tokens, languages: languages + ["en"])
        guard let date, date.seconds <= now + slack else { return nil }
        return date
    }

    /// Java writes the name of the zone behind the offset: `2024-05-06T07:08+02:00[Europe/Berlin]`.
    private static func zoneInBrackets(_ text: String) -> String? {
        guard text.utf8.count <= 80, text.utf8.last == UInt8(ascii: "]"), let open = text.lastIndex(of: "[") else { return nil }
        return String(text[text.index(after: open)...].dropLast())
    }
}
