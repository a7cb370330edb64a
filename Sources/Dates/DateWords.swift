import CICU
import Synchronization

/// The date vocabulary of one language, from ICU's data, in the form the parser needs.
struct DateWords: Sendable {
    /// Whether the month precedes the day in numeric dates.
    var isMonthFirst = false
    /// The number of years by which the language's calendar is ahead of the Gregorian calendar: 543 for Thai.
    var yearOffset = 0
    /// Whether the months are those of the Persian calendar.
    var isPersian = false

    private var months: [String: Int] = [:]
    private var dayPeriods: [String: Int] = [:]

    /// Returns the month, 1 to 12, for its name or for an unambiguous beginning of its name.
    func month(_ word: String) -> Int? {
        if let month = months[word] { return month }
        // Hebrew attaches the preposition to the name.
        if word.hasPrefix("ב"), let month = months[String(word.dropFirst())] { return month }
        // Abbreviations that ICU does not list, such as `sept` and `febr`.
        guard word.unicodeScalars.count >= 3 else { return nil }
        var found: Int?
        for (name, month) in months where name.hasPrefix(word) {
            if let found, found != month { return nil }
            found = month
        }
        return found
    }

    /// 0 for morning, 1 for afternoon.
    func dayPeriod(_ word: String) -> Int? { dayPeriods[word] }

    // MARK: - Languages

    private static let cache = Mutex<[String: DateWords]>([:])
    /// Bounds the cache: a page may declare any language, and ICU knows fewer than this.
    private static let maxCached = 400

    /// - Parameter tag: a BCP 47 tag. For an unknown language, the result is ICU's root data.
    static func of(_ tag: String) -> DateWords {
        if let words = cache.withLock({ $0[tag] }) { return words }
        let words = DateWords(tag)
        cache.withLock { if $0.count < maxCached { $0[tag] = words } }
        return words
    }

    private init(_ tag: String) {
        let language = tag.prefix { $0 != "-" }
        // The calendar that the language's press uses, if it is not the Gregorian calendar.
        isPersian = language == "fa"
        yearOffset = language == "th" ? 543 : 0
        var status = U_ZERO_ERROR
        let locale = tag + (isPersian ? "@calendar=persian" : "@calendar=gregorian")
        guard let dates = cicu_dates_open(locale, &status), status.rawValue <= U_ZERO_ERROR.rawValue else { return }
        defer { cicu_dates_close(dates) }
        for kind in [UDAT_MONTHS, UDAT_STANDALONE_MONTHS, UDAT_SHORT_MONTHS, UDAT_STANDALONE_SHORT_MONTHS] {
            for (index, name) in Self.symbols(kind, of: dates).enumerated() where index < 12 {
                add(name, index + 1, to: \.months)
            }
        }
        for (index, name) in Self.symbols(UDAT_AM_PMS, of: dates).enumerated() where index < 2 {
            add(name, index, to: \.dayPeriods)
        }
        // Without periods, which are separate tokens.
        for (word, dayPeriod) in [("am", 0), ("pm", 1), ("a", 0), ("p", 1)] where dayPeriods[word] == nil {
            dayPeriods[word] = dayPeriod
        }
        let pattern = Self.text { cicu_dates_pattern(dates, $0, $1, $2) }
        if let month = pattern.firstIndex(of: "M"), let day = pattern.firstIndex(of: "d") { isMonthFirst = month < day }
    }

    /// Adds a name as its words joined together. Names that contain digits are skipped.
    private mutating func add(_ name: String, _ value: Int, to table: WritableKeyPath<DateWords, [String: Int]>) {
        let words = DateTokens(name).tokens.compactMap { token -> String? in
            if case .word(let word) = token { word } else { nil }
        }
        // `พ.ค.` is two words of one letter each; they are stored as one.
        guard !words.isEmpty, !name.unicodeScalars.contains(where: { $0.properties.numericType != nil }) else { return }
        let joined = words.joined()
        if self[keyPath: table][joined] == nil { self[keyPath: table][joined] = value }
    }

    private static func symbols(_ kind: UDateFormatSymbolType, of dates: UnsafeMutablePointer<UDateFormat?>) -> [String]
    {
        (0..<cicu_dates_count(dates, kind)).map { index in
            text { cicu_dates_symbol(dates, kind, index, $0, $1, $2) }
        }
    }

    private static func text(
        _ fill: (UnsafeMutablePointer<UInt16>?, Int32, UnsafeMutablePointer<UErrorCode>) -> Int32
    ) -> String {
        var units = [UInt16](repeating: 0, count: 128)
        var status = U_ZERO_ERROR
        let length = fill(&units, Int32(units.count), &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue, length > 0 else { return "" }
        return String(decoding: units.prefix(Int(length)), as: UTF16.self)
    }
}
