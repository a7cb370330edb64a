import Dates
import Glibc

/// Times as exports write them. All results are microseconds since 1970.
enum ImportTime {
    /// From 1995 on: no page that anybody saved is older, and services write a zero where they know no time.
    private static let earliest = 788_918_400 * 1_000_000

    /// ISO 8601, RFC 5322 and similar, or a number of seconds, milliseconds or microseconds since 1970.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: nil for 0, for text that is not a time, and for a time in the future.
    static func read(_ text: String?, now: Int) -> Int? {
        guard let text, (1...100).contains(text.utf8.count) else { return nil }
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if let number = Double(trimmed), trimmed.utf8.count != 8 || trimmed.contains(".") {
            return read(number, now: now)
        }
        if let time = ISOTime.read(trimmed) { return checked(time, now: now) }
        guard let date = Dates.read(trimmed, now: now) else { return nil }
        return checked(date.seconds * 1_000_000, now: now)
    }

    /// A number of seconds, milliseconds or microseconds, whose magnitude decides which.
    static func read(_ number: Double, now: Int) -> Int? {
        guard number.isFinite, number > 0, number < 1e17 else { return nil }
        let micros = number < 1e11 ? number * 1e6 : number < 1e14 ? number * 1e3 : number
        return checked(Int(micros), now: now)
    }

    /// Microseconds since 1601, as Chrome writes them.
    static func readSince1601(_ text: String?, now: Int) -> Int? {
        guard let number = text.flatMap(Int.init), number > 0 else { return nil }
        return checked(number - 11_644_473_600 * 1_000_000, now: now)
    }

    /// A time as ISO 8601.
    static func text(_ micros: Int) -> String {
        var (clock, parts) = (time_t(micros / 1_000_000), tm())
        gmtime_r(&clock, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):"
            + "\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    private static func checked(_ micros: Int, now: Int) -> Int? {
        micros >= earliest && micros <= now * 1_000_000 ? micros : nil
    }
}

/// `2024-05-06T07:08:09.123456Z` and its relatives, without ICU: a file has hundreds of thousands of them.
private enum ISOTime {
    static func read(_ text: String) -> Int? {
        var text = Array(text.utf8)[...]
        guard let year = number(&text, 4), sign(&text, "-"), let month = number(&text, 2), sign(&text, "-"),
            let day = number(&text, 2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = daysSince1970(year, month, day)
        guard !text.isEmpty else { return days * 86_400_000_000 }
        guard sign(&text, "T") || sign(&text, " "), let hour = number(&text, 2), sign(&text, ":"),
            let minute = number(&text, 2), hour < 25, minute < 60
        else { return nil }
        var (second, micros) = (0, 0)
        if sign(&text, ":") {
            guard let seconds = number(&text, 2), seconds < 61 else { return nil }
            second = seconds
            if sign(&text, ".") || sign(&text, ",") {
                var unit = 100_000
                while let digit = number(&text, 1) {
                    micros += digit * unit
                    unit /= 10
                }
            }
        }
        guard let offset = offset(&text), text.isEmpty else { return nil }
        return (days * 86_400 + hour * 3_600 + minute * 60 + second - offset) * 1_000_000 + micros
    }

    /// The seconds east of UTC.
    private static func offset(_ text: inout ArraySlice<UInt8>) -> Int? {
        _ = sign(&text, " ")
        if text.isEmpty || sign(&text, "Z") { return 0 }
        if text.elementsEqual("UTC".utf8) || text.elementsEqual("GMT".utf8) {
            text = []
            return 0
        }
        let factor = sign(&text, "+") ? 1 : sign(&text, "-") ? -1 : 0
        guard factor != 0, let hours = number(&text, 2) else { return nil }
        _ = sign(&text, ":")
        return factor * (hours * 3_600 + (number(&text, 2) ?? 0) * 60)
    }

    private static func number(_ text: inout ArraySlice<UInt8>, _ digits: Int) -> Int? {
        guard text.count >= digits else { return nil }
        var value = 0
        for byte in text.prefix(digits) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        text = text.dropFirst(digits)
        return value
    }

    private static func sign(_ text: inout ArraySlice<UInt8>, _ sign: Unicode.Scalar) -> Bool {
        guard text.first == UInt8(ascii: sign) else { return false }
        text = text.dropFirst()
        return true
    }

    /// The days of the proleptic Gregorian calendar: years begin in March, so that the leap day is their last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    }
}
