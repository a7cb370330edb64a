/// Parses dates in natural language: a month's name, or three numbers in the order of a language.
enum NaturalDate {
    static func read(_ tokens: DateTokens, languages: [String]) -> ParsedDate? {
        for language in languages {
            let words = DateWords.of(language)
            if let (date, used) = named(tokens, words) ?? eastAsian(tokens) {
                return withTime(date, tokens, excluding: used, words)
            }
        }
        guard let language = languages.first else { return nil }
        let words = DateWords.of(language)
        return numeric(tokens, words).map { withTime($0.date, tokens, excluding: $0.used, words) }
    }

    // MARK: - Days

    private typealias Found = (date: ParsedDate, used: Set<Int>)

    /// `6. Mai 2024`, `May 6th, 2024`, `6 de mayo de 2024`, `2024 m. gegužės 6 d.`, `6-May-2024`.
    private static func named(_ tokens: DateTokens, _ words: DateWords) -> Found? {
        for place in tokens.tokens.indices {
            guard let (month, end) = self.month(tokens, at: place, words) else { continue }
            let near = numbers(tokens, around: place...end)
            let years = near.filter { tokens.digits($0) == 4 }
            let days = near.filter { tokens.digits($0) <= 2 && (1...31).contains(tokens.number($0) ?? 0) }
            // The year usually follows the month. If it comes before the month, the day does not.
            guard let year = years.first(where: { $0 > end }) ?? years.last, let written = tokens.number(year) else {
                continue
            }
            guard
                let day = days.last(where: { $0 < place && (year > end || $0 > year) })
                    ?? days.first(where: { $0 > end && ($0 < year || year < place) }),
                let number = tokens.number(day)
            else { continue }
            guard let date = self.date(written, month, number, words) else { continue }
            return (date, Set(place...end).union([day, year]))
        }
        return nil
    }

    /// Returns the month that begins at a token, and its last token. Abbreviations with periods are several tokens.
    private static func month(_ tokens: DateTokens, at place: Int, _ words: DateWords) -> (Int, end: Int)? {
        guard let word = tokens.word(place) else { return nil }
        if let month = words.month(word) { return (month, place) }
        // `พ.ค.`
        if tokens.symbol(place + 1) == ".", let second = tokens.word(place + 2), tokens.isAdjacent(place + 2),
            let month = words.month(word + second)
        {
            return (month, place + 2)
        }
        // Vietnamese numbers its months.
        if word == "tháng" || word == "thg", let number = tokens.number(place + 1), (1...12).contains(number) {
            return (number, place + 1)
        }
        return nil
    }

    /// Returns the numbers near the month, without those of a time: for `May 06 07:08:09 UTC 2024`, the first and the
    /// last.
    private static func numbers(_ tokens: DateTokens, around month: ClosedRange<Int>) -> [Int] {
        (max(0, month.lowerBound - 4)...min(tokens.tokens.count - 1, month.upperBound + 9)).filter {
            !month.contains($0) && tokens.number($0) != nil && !isOfTime($0, tokens)
        }
    }

    private static func isOfTime(_ place: Int, _ tokens: DateTokens) -> Bool {
        tokens.symbol(place + 1) == ":" && tokens.number(place + 2) != nil
            || tokens.symbol(place - 1) == ":" && tokens.number(place - 2) != nil
    }

    /// `2024年5月6日`, `2024년 5월 6일`, and Japanese eras.
    private static func eastAsian(_ tokens: DateTokens) -> Found? {
        for place in tokens.tokens.indices {
            guard let written = tokens.number(place), ["年", "년"].contains(tokens.word(place + 1) ?? ""),
                let month = tokens.number(place + 2),
                ["月", "월"].contains(tokens.word(place + 3) ?? ""), let day = tokens.number(place + 4)
            else { continue }
            let era = tokens.word(place - 1).flatMap { word in eras.first { era in word.hasSuffix(era.name) } }
            let year = era.map { $0.before + written } ?? written
            if let date = ParsedDate(year: year, month: month, day: day) { return (date, Set(place - 1...place + 5)) }
        }
        return nil
    }

    /// The year before the first year of each era. Source: https://www.ndl.go.jp (table of eras).
    private static let eras: [(name: String, before: Int)] = [("令和", 2_018), ("平成", 1_988), ("昭和", 1_925)]

    /// `06/05/2024`, `6.5.2024`, `6-5-2024`, and `6.5.24`.
    private static func numeric(_ tokens: DateTokens, _ words: DateWords) -> Found? {
        for place in tokens.tokens.indices {
            guard let sign = tokens.symbol(place + 1), ["/", ".", "-"].contains(sign), tokens.symbol(place + 3) == sign,
                let first = tokens.number(place), let second = tokens.number(place + 2),
                let third = tokens.number(place + 4),
                tokens.digits(place + 2) <= 2, [1, 3].allSatisfy({ tokens.isAdjacent(place + $0) || sign == "." })
            else { continue }
            let used = Set(place...place + 4)
            if tokens.digits(place) == 4 {
                if let date = self.date(first, second, third, words) { return (date, used) }
                continue
            }
            guard tokens.digits(place) <= 2, tokens.digits(place + 4) == 4 || tokens.digits(place + 4) == 2 else {
                continue
            }
            let year = tokens.digits(place + 4) == 2 ? 2_000 + third : third
            // With periods, the day comes first in every language. Otherwise the language decides if both readings are
            // possible.
            let isMonthFirst = first <= 12 && (second > 12 || words.isMonthFirst && sign != ".")
            if let date = isMonthFirst ? self.date(year, first, second, words) : self.date(year, second, first, words) {
                return (date, used)
            }
        }
        return nil
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ words: DateWords) -> ParsedDate? {
        if words.isPersian, year < 1_700 { return PersianCalendar.date(year: year, month: month, day: day) }
        return ParsedDate(
            year: words.yearOffset > 0 && year > 2_400 ? year - words.yearOffset : year, month: month, day: day)
    }

    // MARK: - Time

    private static func withTime(
        _ date: ParsedDate, _ tokens: DateTokens, excluding used: Set<Int>, _ words: DateWords
    ) -> ParsedDate {
        for place in tokens.tokens.indices where !used.contains(place) {
            guard tokens.number(place) != nil, !(tokens.symbol(place - 1) == ":" && tokens.number(place - 2) != nil),
                let (time, end) = ClockTime.read(tokens, at: place, dayPeriod: words.dayPeriod)
            else { continue }
            var whole = date
            whole.time = time
            whole.time?.offset = ClockTime.offset(tokens, at: end, date) ?? 0
            return whole
        }
        return date
    }
}
