import Search

/// A query in linkding's language, as a condition on links.
///
/// Words must all be found, `#name` is a tag, quotes keep words together, `!untagged` and `!unread` are states. A word
/// finds those that begin with it: linkding finds any part of a word.
struct LinkdingQuery {
    /// Nil for a query without a term.
    let condition: SearchCondition?

    /// - Throws: `NeighbourError.badParameter` for a query that is too long.
    init(_ text: String) throws(NeighbourError) {
        guard text.unicodeScalars.count <= SearchQuery.maximumLength else {
            throw .badParameter("q", "at most \(SearchQuery.maximumLength) characters long")
        }
        let terms = Self.terms(text)
        guard terms.count <= SearchQuery.maximumTerms else {
            throw .badParameter("q", "at most \(SearchQuery.maximumTerms) terms")
        }
        condition = terms.count > 1 ? .all(terms) : terms.first
    }

    private static func terms(_ text: String) -> [SearchCondition] {
        var terms: [SearchCondition] = []
        var rest = text[...]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return terms }
            // A quote left open is closed at the end.
            let isQuoted = first == "\"" || first == "'"
            if isQuoted { rest = rest.dropFirst() }
            let end = rest.firstIndex { isQuoted ? $0 == first : $0.isWhitespace } ?? rest.endIndex
            let word = String(rest[..<end])
            rest = rest[end...]
            if isQuoted { rest = rest.dropFirst() }
            if let term = isQuoted ? phrase(word) : term(word) { terms.append(term) }
        }
    }

    private static func phrase(_ text: String) -> SearchCondition? {
        text.trimmed.isEmpty ? nil : .phrase(text, in: nil)
    }

    private static func term(_ word: String) -> SearchCondition? {
        switch word.lowercased() {
        case "!untagged": return .state(.untagged)
        case "!unread": return .state(.unread)
        case let word where word.hasPrefix("#") && word.count > 1: break
        default: return .word(word, isPrefix: true, in: nil)
        }
        // A tag with blanks is shown with hyphens.
        let name = String(word.dropFirst())
        return name.contains("-") ? .any([.tag(name), .tag(name.replacing("-", with: " "))]) : .tag(name)
    }
}
