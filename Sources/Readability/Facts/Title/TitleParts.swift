/// Splits a title into the headline and the site's name.
enum TitleParts {
    /// Separators between headline and site name. They need spaces around them.
    private static let spacedSeparators: Set<Unicode.Scalar> = [
        "|", "-", "–", "—", "·", "•", "»", "«", "/", "~", "›", "‹", "∣", "⋅", ":",
    ]
    /// Separators that need no spaces.
    private static let bareSeparators: Set<Unicode.Scalar> = ["|", "｜", "_", "︱", "│"]

    /// Returns the ranges of the separators, with the space around them, as offsets into the scalars.
    private static func separators(_ title: [Unicode.Scalar]) -> [Range<Int>] {
        func isSpace(_ index: Int) -> Bool { title.indices.contains(index) && title[index].properties.isWhitespace }
        var found: [Range<Int>] = []
        var index = 1
        while index < title.count - 1 {
            let sign = title[index]
            var end = index + 1
            // Most signs are letters.
            if sign.isASCII, sign == " " || isAlphanumeric(lowercased(UInt8(sign.value))) {
                index = end
                continue
            }
            // `::`
            if sign == ":", title[end] == ":" { end += 1 }
            let isSeparator =
                spacedSeparators.contains(sign) && isSpace(index - 1) && isSpace(end)
                || bareSeparators.contains(sign) && sign != "_"
                || sign == "_" && title[index - 1].value > 0x2E80
            // `Site: Headline`
            guard isSeparator || sign == ":" && isSpace(end) else {
                index = end
                continue
            }
            // Two separators with one space between them: the space belongs to the first.
            let start =
                isSeparator && isSpace(index - 1) && index - 1 >= found.last?.upperBound ?? 0 ? index - 1 : index
            found.append(start..<(isSpace(end) ? end + 1 : end))
            index = found[found.count - 1].upperBound
        }
        return found
    }

    /// Returns the headline and, if the title contains it, the site's name.
    ///
    /// - Parameter headlines: other texts of the page that may be its headline, folded. A part that equals one of them
    ///   is the headline.
    static func split(_ title: String, sites: SiteNames, headlines: Set<String>) -> (headline: String, site: String?) {
        let scalars = Array(title.unicodeScalars.prefix(500))
        var separators = separators(scalars)[...]
        var start = 0
        var end = scalars.count
        var site: String?
        let places = Array(title.unicodeScalars.indices.prefix(scalars.count + 1)) + [title.endIndex]
        func text(_ range: Range<Int>) -> String {
            String(title.unicodeScalars[places[range.lowerBound]..<places[range.upperBound]])
        }
        func isColon(_ separator: Range<Int>) -> Bool { scalars[separator.lowerBound] == ":" && separator.count == 2 }

        while let first = separators.first, let last = separators.last {
            if headlines.contains(NormalizedText(text(start..<end)).text) { break }
            let (head, tail) = (text(start..<first.lowerBound), text(last.upperBound..<end))
            if !isColon(last),
                sites.contains(tail) || headlines.contains(NormalizedText(text(start..<last.lowerBound)).text)
            {
                site = site ?? tail
                end = last.lowerBound
                separators.removeLast()
            } else if sites.contains(head)
                || !isColon(first) && headlines.contains(NormalizedText(text(first.upperBound..<end)).text)
            {
                site = site ?? head
                start = first.upperBound
                separators.removeFirst()
            } else if isColon(last) {
                // The colon belongs to the headline.
                separators.removeLast()
            } else {
                break
            }
        }
        return (OneLine.of(text(start..<end)) ?? title, site.flatMap { OneLine.of($0) })
    }
}
