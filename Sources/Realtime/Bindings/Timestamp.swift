import Glibc

/// Reads dates and times as PostgreSQL writes them in JSON and as clients write them in filters (ISO 8601).
enum Timestamp {
    /// The microseconds since 1970 of a date or of a date and time. Without an offset UTC is meant, because sessions
    /// run in UTC. Nil for other texts.
    static func microseconds(_ text: some StringProtocol) -> Int? {
        if text == "infinity" { return .max }
        if text == "-infinity" { return .min }
        var reader = Reader(bytes: ArraySlice(text.utf8))
        guard let year = reader.number(digits: 4...6), year <= maxYear, reader.take("-"),
            let month = reader.number(digits: 2...2), (1...12).contains(month), reader.take("-"),
            let day = reader.number(digits: 2...2), (1...31).contains(day)
        else { return nil }
        var seconds = startOfDay(year, month, day)
        var fraction = 0
        if reader.take("T") || reader.take(" ") {
            guard let time = reader.timeOfDay(), let offset = reader.offset() else { return nil }
            seconds += time.seconds - offset
            fraction = time.microseconds
        }
        return reader.bytes.isEmpty ? seconds * 1_000_000 + fraction : nil
    }

    /// Microseconds of later years do not fit into 64 bits.
    private static let maxYear = 200_000

    /// The seconds since 1970 at the beginning of a day.
    private static func startOfDay(_ year: Int, _ month: Int, _ day: Int) -> Int {
        var date = tm()
        date.tm_year = Int32(year - 1_900)
        date.tm_mon = Int32(month - 1)
        date.tm_mday = Int32(day)
        return timegm(&date)
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard bytes.first == UInt8(ascii: character) else { return false }
            bytes.removeFirst()
            return true
        }

        mutating func number(digits: ClosedRange<Int>) -> Int? {
            let found = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(digits.upperBound)
            guard digits.contains(found.count) else { return nil }
            bytes = bytes.dropFirst(found.count)
            return found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        /// Reads `HH:MM`, `HH:MM:SS` or `HH:MM:SS.ffffff`.
        mutating func timeOfDay() -> (seconds: Int, microseconds: Int)? {
            guard let hour = number(digits: 2...2), hour <= 24, take(":"), let minute = number(digits: 2...2),
                minute < 60
            else { return nil }
            var seconds = hour * 3_600 + minute * 60
            guard take(":") else { return (seconds, 0) }
            guard let second = number(digits: 2...2), second <= 60 else { return nil }
            seconds += second
            guard take(".") else { return (seconds, 0) }
            let start = bytes.count
            guard var fraction = number(digits: 1...6) else { return nil }
            for _ in (start - bytes.count)..<6 { fraction *= 10 }
            // PostgreSQL rounds; nobody writes more than six digits on purpose.
            while number(digits: 1...1) != nil {}
            return (seconds, fraction)
        }

        /// Reads `Z`, `+HH`, `+HHMM`, `+HH:MM` or nothing; the result is in seconds.
        mutating func offset() -> Int? {
            if bytes.isEmpty || take("Z") { return 0 }
            let isNegative = take("-")
            guard isNegative || take("+"), let hours = number(digits: 2...2) else { return nil }
            _ = take(":")
            let minutes = bytes.isEmpty ? 0 : number(digits: 2...2)
            guard let minutes else { return nil }
            return (hours * 3_600 + minutes * 60) * (isNegative ? -1 : 1)
        }
    }
}
