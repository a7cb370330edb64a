import CICU

/// The solar calendar of Iran and Afghanistan.
enum PersianCalendar {
    static func date(year: Int, month: Int, day: Int) -> ParsedDate? {
        guard (1_000...1_600).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var status = U_ZERO_ERROR
        let utc = Array("UTC".utf16)
        guard let calendar = cicu_calendar_open(utc, Int32(utc.count), "fa@calendar=persian", &status) else {
            return nil
        }
        defer { cicu_calendar_close(calendar) }
        let milliseconds = cicu_calendar_time(calendar, Int32(year), Int32(month - 1), Int32(day), 0, 0, 0, &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue, let whole = Int(exactly: (milliseconds / 1_000).rounded())
        else { return nil }
        var date = ParsedDate(seconds: whole)
        date?.time = nil
        return date
    }
}
