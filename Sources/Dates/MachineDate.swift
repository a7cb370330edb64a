/// Parses numeric dates that begin with the year, such as ISO 8601, and seconds since 1970.
enum MachineDate {
    static func read(_ tokens: DateTokens, zone: String?) -> ParsedDate? {
        if tokens.tokens.count == 1, let number = tokens.number(0) { return compact(number, digits: tokens.digits(0)) }
        guard let written = day(tokens),
            var date = ParsedDate(year: written.year, month: written.month, day: written.day)
        else { return nil }
        guard let (time, end) = ClockTime.read(tokens, at: written.next) else { return date }
        date.time = time
        let local = date
        date.time?.offset =
            zone.flatMap { Zones.offset(ofZone: $0, at: local) } ?? ClockTime.offset(tokens, at: end, local) ?? 0
        return date
    }

    /// `20240506`, seconds, milliseconds.
    private static func compact(_ number: Int, digits: Int) -> ParsedDate? {
        switch digits {
        case 8: ParsedDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        case 10: ParsedDate(seconds: number)
        case 13: ParsedDate(seconds: number / 1_000)
        case 14:
            ParsedDate(
                year: number / 10_000_000_000, month: number / 100_000_000 % 100, day: number / 1_000_000 % 100,
                time: ParsedDate.Time(number / 10_000 % 100, number / 100 % 100, number % 100))
        default: nil
        }
    }

    private struct Day {
        var year: Int
        var month: Int
        var day = 1
        /// The index of the token after the day.
        var next: Int
    }

    private static func day(_ tokens: DateTokens) -> Day? {
        guard let first = tokens.number(0) else { return nil }
        // `20240506T070809Z`
        if tokens.digits(0) == 8, tokens.word(1) == "t" {
            return Day(year: first / 10_000, month: first / 100 % 100, day: first % 100, next: 2)
        }
        guard tokens.digits(0) == 4, let sign = tokens.symbol(1), sign == "-" || sign == "/" || sign == ".",
            let month = tokens.number(2)
        else { return nil }
        guard tokens.symbol(3) == sign, let day = tokens.number(4), tokens.digits(4) <= 2 else {
            // A month without a day means its first day.
            guard tokens.tokens.count == 3, tokens.digits(2) == 2 else { return nil }
            return Day(year: first, month: month, next: 3)
        }
        let isFollowed = tokens.word(5) == "t" || tokens.symbol(5) == ","
        return Day(year: first, month: month, day: day, next: isFollowed ? 6 : 5)
    }
}
