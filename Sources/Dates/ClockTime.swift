/// Reads times of day and offsets from UTC.
enum ClockTime {
    /// Returns the time that begins at a token, and the index of the token after it: `7:08`, `07:08:09.123`, `070809`
    /// after a `T`, `14h30`.
    ///
    /// - Parameter half: returns 0 for a word that means morning, 1 for afternoon, such as `pm`, and nil for any other
    ///   word.
    static func read(
        _ tokens: DateTokens, at start: Int, dayPeriod: (String) -> Int? = { _ in nil }
    ) -> (ParsedDate.Time, end: Int)? {
        guard let hour = tokens.number(start) else { return nil }
        if tokens.digits(start) == 6, tokens.word(start - 1) == "t" {
            return ParsedDate.Time(hour / 10_000, hour / 100 % 100, hour % 100).map { ($0, start + 1) }
        }
        guard tokens.digits(start) <= 2 else { return nil }
        var end = start + 1
        var minute = 0
        var second = 0
        let isDivided =
            tokens.symbol(end) == ":" || tokens.symbol(end) == "."
            || ["h", "时", "時", "시", "点", "點"].contains(tokens.word(end) ?? "")
        if isDivided, let number = tokens.number(end + 1), tokens.digits(end + 1) == 2 {
            minute = number
            end += 2
            if ["分", "분"].contains(tokens.word(end) ?? "") { end += 1 }
            if tokens.symbol(end) == ":", let number = tokens.number(end + 1), tokens.digits(end + 1) == 2 {
                second = number
                end += 2
                if tokens.symbol(end) == "." || tokens.symbol(end) == ",", tokens.number(end + 1) != nil { end += 2 }
            }
        } else if tokens.word(end).flatMap(dayPeriod) == nil {
            return nil
        }
        // `p.m.` is two words with periods, `pm` is one word.
        guard let word = tokens.word(end), let afternoon = dayPeriod(word), hour <= 12 else {
            return ParsedDate.Time(hour, minute, second).map { ($0, end) }
        }
        end += 1
        while tokens.symbol(end) == "." || tokens.word(end) == "m" { end += 1 }
        return ParsedDate.Time(hour % 12 + 12 * afternoon, minute, second).map { ($0, end) }
    }

    /// Returns the offset from UTC in minutes that a token begins: `Z`, `+02:00`, `-0500`, `GMT+2`, `EDT`, `(ET)`; nil
    /// if there is none.
    static func offset(_ tokens: DateTokens, at start: Int, _ date: ParsedDate) -> Int? {
        var place = start
        if tokens.symbol(place) == "(" { place += 1 }
        var named: Int?
        if let word = tokens.word(place) {
            named = Zones.offset(word, at: date)
            guard named == 0 else { return named }
            place += 1
        }
        guard let sign = tokens.symbol(place), sign == "+" || sign == "-" || sign == "\u{2212}",
            let number = tokens.number(place + 1)
        else { return named }
        let minutes: Int
        switch tokens.digits(place + 1) {
        case 4: minutes = number / 100 * 60 + number % 100
        case 1, 2:
            minutes = number * 60 + (tokens.symbol(place + 2) == ":" ? min(tokens.number(place + 3) ?? 0, 59) : 0)
        default: return named
        }
        guard minutes <= 14 * 60 else { return named }
        return sign == "+" ? minutes : -minutes
    }
}
