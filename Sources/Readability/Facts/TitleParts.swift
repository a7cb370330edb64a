/// A title with the site's name beside the headline, taken apart.
enum TitleParts {
    /// Signs that part a headline from the name of the site, with spaces around them.
    private static let spaced: Set<Unicode.Scalar> = ["|", "-", "–", "—", "·", "•", "»", "«", "/", "~", "›", "‹", "∣", "⋅", ":"]
    /// Those that do without spaces.
    private static let bare: Set<Unicode.Scalar> = ["|", "｜", "_", "︱", "│"]

    /// Where parts end and begin: offsets of scalars of the signs with the space around them.
    private static func partings(_ title: [Unicode.Scalar]) -> [Range<Int>] {
        func isSpace(_ index: Int) -> Bool { title.indices.contains(index) && title[index].properties.isWhitespace }
        var found: [Range<Int>] = []
        var index = 1
        while index < title.count - 1 {
            let sign = title[index]
            var end = index + 1
            // `::`
            if sign == ":", title[end] == ":" { end += 1 }
            let isParting = spaced.contains(sign) && isSpace(index - 1) && isSpace(end) || bare.contains(sign) && sign != "_"
                || sign == "_" && title[index - 1].value > 0x2E80
            // `Site: Headline`
            guard isParting || sign == ":" && isSpace(end) else {
                index = end
                continue
            }
            // Two signs with one space between them share no space.
            let start = isParting && isSpace(index - 1) && index - 1 >= found.last?.upperBound ?? 0 ? index - 1 : index
            found.append(start..<(isSpace(end) ? end + 1 : end))
            index = found[found.count - 1].upperBound
        }
        return found
    }

    /// The headline and, where it was beside it, the name of the site.
    ///
    /// - Parameters:
    ///   - headlines: other texts of the page that are its headline, perhaps, folded: what equals one stands alone.
    static func split(_ title: String, sites: SiteNames, headlines: Set<String>) -> (headline: String, site: String?) {
        let scalars = Array(title.unicodeScalars.prefix(500))
        var partings = partings(scalars)[...]
        var start = 0
        var end = scalars.count
        var site: String?
        func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
        func isColon(_ parting: Range<Int>) -> Bool { scalars[parting.lowerBound] == ":" && parting.count == 2 }

        while let first = partings.first, let last = partings.last {
            if headlines.contains(Folded(text(start..<end)).text) { break }
            let (head, tail) = (text(start..<first.lowerBound), text(last.upperBound..<end))
            if !isColon(last), sites.contains(tail) || headlines.contains(Folded(text(start..<last.lowerBound)).text) {
                site = site ?? tail
                end = last.lowerBound
                partings.removeLast()
            } else if sites.contains(head) || !isColon(first) && headlines.contains(Folded(text(first.upperBound..<end)).text) {
                site = site ?? head
                start = first.upperBound
                partings.removeFirst()
            } else if isColon(last) {
                // A colon of the headline's own.
                partings.removeLast()
            } else {
                break
            }
        }
        return (OneLine.of(text(start..<end)) ?? title, site.flatMap { OneLine.of($0) })
    }
}
