/// The keys of the query language, each with the values it takes.
enum SearchKey: String {
    case `is`, tag, `in`, site, title, note, url, before, after, age, kind, lang, minutes, sort

    /// The condition for a value; nil if the key cannot take it.
    ///
    /// - Parameter isQuoted: whether the value was in quotes.
    func condition(_ value: String, isQuoted: Bool) -> SearchCondition? {
        guard !value.isEmpty else { return nil }
        switch self {
        case .is: return SearchState(rawValue: value.lowercased()).map { .state($0) }
        case .tag: return .tag(value)
        case .in: return .collection(value)
        case .site: return Self.host(value).map { .site($0) }
        case .title: return Self.text(value, isQuoted, in: .title)
        case .note: return Self.text(value, isQuoted, in: .note)
        case .url: return .address(isQuoted ? value : SearchQueryParser.splittingPrefix(value).0)
        case .before: return SearchDay(value).map { .before($0) }
        case .after: return SearchDay(value).map { .after($0) }
        case .age:
            guard let (comparison, rest) = Self.comparison(value), comparison != .equal else { return nil }
            guard let unit = rest.last.flatMap({ SearchAge.Unit(rawValue: $0.lowercased()) }),
                let count = Self.number(rest.dropLast())
            else { return nil }
            return .age(comparison, SearchAge(count, unit))
        case .kind: return SearchKind(rawValue: value.lowercased()).map { .kind($0) }
        case .lang: return Self.language(value).map { .language($0) }
        case .minutes:
            guard let (comparison, rest) = Self.comparison(value), let count = Self.number(rest) else { return nil }
            return .minutes(comparison, count)
        case .sort: return nil
        }
    }

    func refusal(of value: String, at place: Int) -> SearchQueryError {
        SearchQueryError(.badValue(key: rawValue, value: value, expected: expected), at: place)
    }

    /// The values that the key takes, in words.
    private var expected: String {
        func list(_ names: [String]) -> String {
            names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        }
        return switch self {
        case .is: list(SearchState.allCases.map(\.rawValue))
        case .tag: "the name of a tag"
        case .in: "the name or the id of a collection"
        case .site: "a host such as example.org"
        case .title, .note: "a word, or words in quotes"
        case .url: "a part of an address"
        case .before, .after: "a day such as 2026-01-31, a month such as 2026-01, or a year"
        case .age: "a span such as <7d or >1y, in h, d, w, m or y"
        case .kind: list(SearchKind.allCases.map(\.rawValue))
        case .lang: "a language such as de"
        case .minutes: "a number such as <5 or >20"
        case .sort: list(SearchOrder.allCases.map(\.rawValue))
        }
    }

    // MARK: - Values

    private static func text(_ value: String, _ isQuoted: Bool, in field: SearchField) -> SearchCondition {
        if isQuoted { return .phrase(value, in: field) }
        let (word, isPrefix) = SearchQueryParser.splittingPrefix(value)
        return .word(word, isPrefix: isPrefix, in: field)
    }

    /// The host of a host name or an address, in lower case, without `www.` and port; nil for a text that has none.
    private static func host(_ value: String) -> String? {
        var rest = value.lowercased()[...]
        if let scheme = rest.range(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#\\".contains($0) }
        if let account = rest.lastIndex(of: "@") { rest = rest[rest.index(after: account)...] }
        if rest.hasPrefix("[") { return rest.hasSuffix("]") ? String(rest) : nil }
        var labels = rest.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
        while labels.last == "" { labels.removeLast() }
        while let first = labels.first, ["", "*"].contains(first) || first == "www" && labels.count > 2 {
            labels.removeFirst()
        }
        let isHost = labels.allSatisfy { label in
            !label.isEmpty
                && label.unicodeScalars.allSatisfy { scalar in
                    !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                        || scalar == "-" || scalar == "_"
                }
        }
        return isHost && !labels.isEmpty ? labels.joined(separator: ".") : nil
    }

    /// A language tag (BCP 47) in lower case.
    private static func language(_ value: String) -> String? {
        let tag = value.lowercased()
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = parts.enumerated().allSatisfy { place, part in
            (place == 0 ? 2...8 : 1...8).contains(part.count)
                && part.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
        }
        return isTag && parts.count <= 5 ? tag : nil
    }

    /// The comparison at the start of a value, `=` if there is none, and the rest.
    private static func comparison(_ value: String) -> (SearchComparison, Substring)? {
        for length in [2, 1] {
            if let comparison = SearchComparison(rawValue: String(value.prefix(length))) {
                return (comparison, value.dropFirst(length))
            }
        }
        return (.equal, value[...])
    }

    /// A number of at most four digits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }
}

extension Substring {
    /// The first occurrence of a text.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
