/// Parses the dates that pages contain, in machine formats and in natural language.
public enum Dates {
    /// In seconds: two days, for clocks that are ahead and for time zones where it is already tomorrow.
    private static let maxFutureSeconds = 172_800

    /// Returns the first date in a text, at its beginning or near it.
    ///
    /// Accepted are ISO 8601 and similar formats, RFC 5322 and seconds since 1970; also `6. Mai 2024 um 7.08 Uhr`, `May
    /// 6, 2024 at 7:08 a.m. ET`, `2024年5月6日` and `06/05/2024`, in the given languages with ICU's names, and in English.
    /// - Parameters:
    ///   - languages: BCP 47 tags, the most likely first. The first decides the order in `06/05/2024`.
    ///   - now: seconds since 1970. A date more than two days later is rejected.
    /// - Returns: nil if there is no date, or an impossible one: a year before 1000, or a day that the month does not
    ///   have.
    public static func read(_ text: String, languages: [String] = [], now: Int) -> ParsedDate? {
        let tokens = DateTokens(text)
        guard !tokens.tokens.isEmpty else { return nil }
        let date =
            MachineDate.read(tokens, zone: zoneInBrackets(text))
            ?? NaturalDate.read(tokens, languages: languages + ["en"])
        guard let date, date.seconds <= now + maxFutureSeconds else { return nil }
        return date
    }

    /// Java writes the zone's name after the offset: `2024-05-06T07:08+02:00[Europe/Berlin]`.
    private static func zoneInBrackets(_ text: String) -> String? {
        guard text.utf8.count <= 80, text.utf8.last == UInt8(ascii: "]"), let open = text.lastIndex(of: "[") else {
            return nil
        }
        return String(text[text.index(after: open)...].dropLast())
    }
}
