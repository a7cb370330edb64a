/// Writes a time in ISO 8601, UTC, with milliseconds.
enum CommitTimestamp {
    /// - Parameter microseconds: since 1970, not negative.
    static func text(microseconds: Int) -> String {
        let seconds = microseconds / 1_000_000
        let (year, month, day) = date(dayNumber: seconds / 86_400)
        let time = seconds % 86_400
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(time / 3_600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
            + ".\(padded(microseconds / 1_000 % 1_000, 3))Z"
    }

    /// The Gregorian date of a day since 1970-01-01: https://howardhinnant.github.io/date_algorithms.html.
    private static func date(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
