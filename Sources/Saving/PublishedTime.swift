/// A page's own date as a point in time.
enum PublishedTime {
    /// ISO 8601 (`2024-05-06`, `2024-05-06T07:08:09Z`, with fractions and offsets) as PostgreSQL takes it; nil for
    /// anything else. Without an offset UTC is meant: better a day off at worst than no date.
    static func parse(_ text: String?) -> String? {
        guard let text, let match = text.wholeMatch(of: pattern) else { return nil }
        guard let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            (1...9_999).contains(year), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day)
        else { return nil }
        let date = "\(match.1)-\(match.2)-\(match.3)"
        guard let hourText = match.4, let minuteText = match.5, let hour = Int(hourText), let minute = Int(minuteText)
        else { return date + "T00:00:00Z" }
        let second = match.6.flatMap { Int($0) } ?? 0
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let time = "\(hourText):\(minuteText):\(match.6 ?? "00")"
        guard let offset = match.7, offset != "Z", offset != "z" else { return "\(date)T\(time)Z" }
        let digits = offset.dropFirst().filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), hours <= 14, (Int(digits.dropFirst(2)) ?? 0) < 60 else { return nil }
        return "\(date)T\(time)\(offset)"
    }

    // Computed, because a regex cannot be shared between threads. Digits by hand: `\d` would take those of every script.
    private static var pattern:
        Regex<(Substring, Substring, Substring, Substring, Substring?, Substring?, Substring?, Substring?)>
    {
        /\s*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?\s*(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?\s*/
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
