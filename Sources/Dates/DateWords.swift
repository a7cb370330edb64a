import CICU
import Synchronization

/// How one language writes its dates: ICU's data, in the form that reading wants.
struct DateWords: Sendable {
    /// Whether the month stands before the day in a date of numbers.
    var isMonthFirst = false
    /// Years of its calendar that are ahead of ours: 543 in Thailand.
    var yearsAhead = 0
    /// Whether its months are those of the Persian calendar.
    var isPersian = false

    private var months: [String: Int] = [:]
    private var halves: [String: Int] = [:]

    /// The month, 1 to 12, by its name or its beginning, where only one begins so.
    func month(_ word: String) -> Int? {
        if let month = months[word] { return month }
        // Hebrew writes its `in` together with the name.
        if word.hasPrefix("ב"), let month = months[String(word.dropFirst())] { return month }
        // `sept`, `febr`: shortened otherwise than ICU has it.
        guard word.unicodeScalars.count >= 3 else { return nil }
        var found: Int?
        for (name, month) in months where name.hasPrefix(word) {
            if let found, found != month { return nil }
            found = month
        }
        return found
    }

    /// 0 for the morning, 1 for the afternoon.
    func half(_ word: String) -> Int? { halves[word] }

    // MARK: - Languages

    private static let known = Mutex<[String: DateWords]>([:])
    /// Pages may name any language; those ICU knows are fewer.
    private static let mostKnown = 400

    /// - Parameter tag: BCP 47; of an unknown language the words are those of no language.
    static func of(_ tag: String) -> DateWords {
        if let words = known.withLock({ $0[tag] }) { return words }
        let words = DateWords(tag)
        known.withLock { if $0.count < mostKnown { $0[tag] = words } }
        return words
    }

    private init(_ tag: String) {
        let language = tag.prefix { $0 != "-" }
        // The calendar its press writes by, where that is another than ours.
        isPersian = language == "fa"
        yearsAhead = language == "th" ? 543 : 0
        var status = U_ZERO_ERROR
        let locale = tag + (isPersian ? "@calendar=persian" : "@calendar=gregorian")
        guard let dates = cicu_dates_open(locale, &status), status.rawValue <= U_ZERO_ERROR.rawValue else { return }
        defer { cicu_dates_close(dates) }
        for kind in [UDAT_MONTHS, UDAT_STANDALONE_MONTHS, UDAT_SHORT_MONTHS, UDAT_STANDALONE_SHORT_MONTHS] {
            for (index, name) in Self.symbols(kind, of: dates).enumerated() where index < 12 { add(name, index + 1, to: \.months) }
        }
        for (index, name) in Self.symbols(UDAT_AM_PMS, of: dates).enumerated() where index < 2 { add(name, index, to: \.halves) }
        // The letters alone; a point is a sign.
        for (word, half) in [("am", 0), ("pm", 1), ("a", 0), ("p", 1)] where halves[word] == nil { halves[word] = half }
        let pattern = Self.text { cicu_dates_pattern(dates, $0, $1, $2) }
        if let month = pattern.firstIndex(of: "M"), let day = pattern.firstIndex(of: "d") { isMonthFirst = month < day }
    }

    /// Names of several words, and such with points, are known by their first word that is none of numbers.
    private mutating func add(_ name: String, _ value: Int, to table: WritableKeyPath<DateWords, [String: Int]>) {
        let words = DateTokens(name).tokens.compactMap { token -> String? in
            if case .word(let word) = token { word } else { nil }
        }
        // `พ.ค.` is two words of one letter each: as one.
        guard !words.isEmpty, !name.unicodeScalars.contains(where: { $0.properties.numericType != nil }) else { return }
        let joined = words.joined()
        if self[keyPath: table][joined] == nil { self[keyPath: table][joined] = value }
    }

    private static func symbols(_ kind: UDateFormatSymbolType, of dates: UnsafeMutablePointer<UDateFormat?>) -> [String] {
        (0..<cicu_dates_count(dates, kind)).map { index in
            text { cicu_dates_symbol(dates, kind, index, $0, $1, $2) }
        }
    }

    private static func text(_ fill: (UnsafeMutablePointer<UInt16>?, Int32, UnsafeMutablePointer<UErrorCode>) -> Int32) -> String {
        var units = [UInt16](repeating: 0, count: 128)
        var status = U_ZERO_ERROR
        let length = fill(&units, Int32(units.count), &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue, length > 0 else { return "" }
        return String(decoding: units.prefix(Int(length)), as: UTF16.self)
    }
}
