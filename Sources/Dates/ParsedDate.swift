/// A date, with or without a time, as written in a page.
public struct ParsedDate: Equatable, Sendable {
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to the number of days in that month.
    public var day: Int
    /// nil if the text names only a day; midnight is assumed.
    public var time: Time?

    public struct Time: Equatable, Sendable {
        public var hour: Int
        public var minute: Int
        public var second: Int
        /// In minutes ahead of UTC. 0 if the page names no zone: a date that is off by up to a day is better than none.
        public var offset: Int

        init?(_ hour: Int, _ minute: Int, _ second: Int = 0, offset: Int = 0) {
            // A leap second becomes the second before it.
            guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
                (-14 * 60...14 * 60).contains(offset)
            else { return nil }
            (self.hour, self.minute, self.second, self.offset) = (hour, minute, min(second, 59), offset)
        }
    }

    /// nil for a day that does not exist, and for years outside 1000 to 9999, which no page's date has.
    init?(year: Int, month: Int, day: Int, time: Time? = nil) {
        guard (1_000...9_999).contains(year), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day, self.time) = (year, month, day, time)
    }

    /// The date in ISO 8601 with the page's own offset: `2024-05-06T07:08:09+02:00`; a date without a time becomes
    /// midnight in UTC.
    public var text: String {
        let day = "\(pad(year, 4))-\(pad(month, 2))-\(pad(self.day, 2))"
        guard let time else { return day + "T00:00:00Z" }
        let clock = "\(day)T\(pad(time.hour, 2)):\(pad(time.minute, 2)):\(pad(time.second, 2))"
        let offset = time.offset.magnitude
        return clock
            + (offset == 0
                ? "Z" : "\(time.offset < 0 ? "-" : "+")\(pad(Int(offset) / 60, 2)):\(pad(Int(offset) % 60, 2))")
    }

    /// Seconds since 1970-01-01 00:00 UTC.
    public var seconds: Int {
        let days = Self.daysSince1970(year, month, day)
        guard let time else { return days * 86_400 }
        return days * 86_400 + time.hour * 3_600 + time.minute * 60 + time.second - time.offset * 60
    }

    /// - Parameter seconds: since 1970-01-01 00:00 UTC.
    init?(seconds: Int) {
        guard (-40_000_000_000...300_000_000_000).contains(seconds) else { return nil }
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - day * 86_400
        let (year, month, dayOfMonth) = Self.civil(day)
        self.init(year: year, month: month, day: dayOfMonth, time: Time(rest / 3_600, rest / 60 % 60, rest % 60))
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Years begin in March here, so that the leap day is the last day of a year. An era is 400 years. Source:
    // https://howardhinnant.github.io/date_algorithms.html

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year % 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (number <= 2 ? 1 : 0), number, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
