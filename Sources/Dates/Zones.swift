import CICU

/// Maps names of time zones to offsets from UTC.
enum Zones {
    /// Abbreviations with one common meaning in news texts, in minutes ahead of UTC. Ambiguous ones are left out or
    /// limited to their main meaning: IST, BST of Bangladesh, CST of China. Source:
    /// https://www.timeanddate.com/time/zones/
    private static let fixed: [String: Int] = [
        "z": 0, "utc": 0, "gmt": 0, "ut": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60, "cest": 120,
        "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "sast": 120, "pkt": 300, "wib": 420, "hkt": 480, "sgt": 480,
        "awst": 480, "jst": 540, "kst": 540, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "brt": -180,
        "art": -180, "ast": -240, "adt": -180, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
        "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480, "hst": -600,
    ]

    /// Abbreviations without a daylight saving marker. They mean the local time in force on the date.
    private static let named = [
        "et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
    ]

    /// Returns the offset in minutes ahead of UTC for an abbreviation at a local time; nil for a word that names no
    /// zone.
    static func offset(_ word: String, at date: ParsedDate) -> Int? {
        fixed[word] ?? named[word].flatMap { offset(ofZone: $0, at: date) }
    }

    /// The same for a name in the IANA time zone database, such as `Europe/Berlin`.
    static func offset(ofZone name: String, at date: ParsedDate) -> Int? {
        var status = U_ZERO_ERROR
        let units = Array(name.utf16)
        guard let calendar = cicu_calendar_open(units, Int32(units.count), "en@calendar=gregorian", &status) else {
            return nil
        }
        defer { cicu_calendar_close(calendar) }
        _ = cicu_calendar_time(
            calendar, Int32(date.year), Int32(date.month - 1), Int32(date.day), Int32(date.time?.hour ?? 0),
            Int32(date.time?.minute ?? 0), 0, &status)
        let offset = Int(cicu_calendar_offset(calendar, &status))
        return status.rawValue <= U_ZERO_ERROR.rawValue ? offset : nil
    }
}
