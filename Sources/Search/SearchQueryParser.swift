/// Parses a query from left to right.
///
/// Open groups are kept in a list, so that a thousand parentheses need no more stack than one.
struct SearchQueryParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var termCount = 0
    private var order: SearchOrder?
    private var groups = [Group()]

    /// A group of terms, from its opening parenthesis to the closing one.
    private struct Group {
        var isNegated = false
        /// The finished alternatives, each the terms between two `or`.
        var alternatives: [SearchCondition] = []
        var terms: [SearchCondition] = []

        /// The condition of the group; nil for an empty one.
        var condition: SearchCondition? {
            guard let last = SearchCondition.joining(terms, .all) else {
                return .joining(alternatives, .any)
            }
            return .joining(alternatives + [last], .any)
        }
    }

    init(_ text: String) throws(SearchQueryError) {
        scalars = Array(text.unicodeScalars.prefix(SearchQuery.maximumLength + 1))
        guard scalars.count <= SearchQuery.maximumLength else {
            throw SearchQueryError(
                .tooLong(limit: SearchQuery.maximumLength), at: SearchQuery.maximumLength + 1)
        }
        if let nul = scalars.firstIndex(of: "\0") { throw SearchQueryError(.nulCharacter, at: nul + 1) }
    }

    mutating func query() throws(SearchQueryError) -> SearchQuery {
        while skipSpaces() { try readItem() }
        while groups.count > 1 { closeGroup() }
        return SearchQuery(groups[0].condition, order: order)
    }

    // MARK: - Items

    /// Reads a term, a parenthesis or `or`.
    private mutating func readItem() throws(SearchQueryError) {
        if scalars[position] == ")" {
            position += 1
            if groups.count > 1 { closeGroup() }
            return
        }
        if isOperator() {
            position += 2
            let group = groups.count - 1
            if let finished = SearchCondition.joining(groups[group].terms, .all) {
                groups[group].alternatives.append(finished)
            }
            groups[group].terms = []
            return
        }
        let start = position
        let isNegated = scalars[position] == "-" && isTermStart(at: position + 1)
        if isNegated { position += 1 }
        if scalars[position] == "(" {
            position += 1
            groups.append(Group(isNegated: isNegated))
            return
        }
        guard let term = try readTerm(isNegated: isNegated) else { return }
        termCount += 1
        guard termCount <= SearchQuery.maximumTerms else {
            throw SearchQueryError(.tooManyTerms(limit: SearchQuery.maximumTerms), at: start + 1)
        }
        add(isNegated ? term.negated : term)
    }

    /// Whether `or` is here and stands between two terms. Anywhere else it is a word.
    private func isOperator() -> Bool {
        guard isWord("or", at: position), !groups[groups.count - 1].terms.isEmpty else { return false }
        var next = position + 2
        while next < scalars.count, scalars[next].properties.isWhitespace { next += 1 }
        return next < scalars.count && scalars[next] != ")"
    }

    /// Whether this word of ASCII letters is here, in any case, with nothing else beside it.
    private func isWord(_ word: String, at start: Int) -> Bool {
        let end = start + word.unicodeScalars.count
        guard end <= scalars.count, Self.lowercased(scalars[start..<end]) == word else { return false }
        guard end < scalars.count else { return true }
        return scalars[end].properties.isWhitespace || "()".unicodeScalars.contains(scalars[end])
            || Self.isQuote(scalars[end])
    }

    private func isTermStart(at index: Int) -> Bool {
        index < scalars.count && !scalars[index].properties.isWhitespace && scalars[index] != ")"
    }

    private mutating func closeGroup() {
        let group = groups.removeLast()
        guard let condition = group.condition else { return }
        add(group.isNegated ? condition.negated : condition)
    }

    private mutating func add(_ condition: SearchCondition) { groups[groups.count - 1].terms.append(condition) }

    /// Moves to the next item. False at the end.
    private mutating func skipSpaces() -> Bool {
        while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
        return position < scalars.count
    }

    // MARK: - Terms

    /// Reads one term; nil for one without content, and for an order.
    private mutating func readTerm(isNegated: Bool) throws(SearchQueryError) -> SearchCondition? {
        let start = position
        if Self.isQuote(scalars[position]) {
            let text = readQuoted()
            return text.isEmpty ? nil : .phrase(text, in: nil)
        }
        if scalars[position] == "#" {
            position += 1
            let name = readValue().text
            return name.isEmpty ? .word("#", isPrefix: false, in: nil) : .tag(name)
        }
        guard let key = readKey() else {
            let (word, isPrefix) = Self.splittingPrefix(readBare())
            return .word(word, isPrefix: isPrefix, in: nil)
        }
        let value = readValue()
        if key == .sort {
            guard !isNegated else { throw SearchQueryError(.negatedOrder, at: start + 1) }
            guard let chosen = SearchOrder(rawValue: value.text.lowercased()) else {
                throw key.refusal(of: value.text, at: start + 1)
            }
            order = chosen
            return nil
        }
        guard let condition = key.condition(value.text, isQuoted: value.isQuoted) else {
            throw key.refusal(of: value.text, at: start + 1)
        }
        return condition
    }

    /// Reads `key:` of a known key; nil, with nothing read, if there is none.
    private mutating func readKey() -> SearchKey? {
        var end = position
        while end < scalars.count, scalars[end].isASCII, scalars[end].properties.isAlphabetic { end += 1 }
        guard end < scalars.count, scalars[end] == ":",
            let key = SearchKey(rawValue: Self.lowercased(scalars[position..<end]))
        else { return nil }
        position = end + 1
        return key
    }

    /// Reads the value of a key: a quoted text, or everything up to the next space; empty if there is none.
    private mutating func readValue() -> (text: String, isQuoted: Bool) {
        guard position < scalars.count else { return ("", false) }
        if Self.isQuote(scalars[position]) { return (readQuoted(), true) }
        guard isTermStart(at: position) else { return ("", false) }
        return (readBare(), false)
    }

    /// Reads the text between two quotes, or up to the end. Spaces around it are dropped.
    private mutating func readQuoted() -> String {
        position += 1
        let start = position
        while position < scalars.count, !Self.isQuote(scalars[position]) { position += 1 }
        var text = scalars[start..<position]
        if position < scalars.count { position += 1 }
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return Self.string(text)
    }

    /// Reads up to the next space, quote or closing parenthesis. Parentheses inside a word, as in an address, belong to
    /// it if they are closed there.
    private mutating func readBare() -> String {
        let start = position
        var depth = 0
        while position < scalars.count {
            let scalar = scalars[position]
            if scalar.properties.isWhitespace || Self.isQuote(scalar) { break }
            if scalar == "(" { depth += 1 }
            if scalar == ")" {
                if depth == 0 { break }
                depth -= 1
            }
            position += 1
        }
        return Self.string(scalars[start..<position])
    }

    /// A word without the `*` at its end, and whether it had one.
    static func splittingPrefix(_ word: String) -> (String, isPrefix: Bool) {
        guard word.last == "*", word.contains(where: { $0 != "*" }) else { return (word, false) }
        var word = word
        while word.last == "*" { word.removeLast() }
        return (word, true)
    }

    // MARK: - Characters

    /// Keyboards of phones write typographic quotes.
    static func isQuote(_ scalar: Unicode.Scalar) -> Bool { "\"“”„‟".unicodeScalars.contains(scalar) }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func lowercased(_ scalars: ArraySlice<Unicode.Scalar>) -> String { string(scalars).lowercased() }
}

extension SearchCondition {
    enum Joint { case all, any }

    /// The opposite. Two negations cancel each other, which bounds the depth of the tree by the number of terms.
    var negated: SearchCondition {
        if case .not(let condition) = self { condition } else { .not(self) }
    }

    /// The conditions as one; nil for none.
    static func joining(_ conditions: [SearchCondition], _ joint: Joint) -> SearchCondition? {
        let parts = conditions.flatMap { condition -> [SearchCondition] in
            switch (condition, joint) {
            case (.all(let inner), .all), (.any(let inner), .any): inner
            default: [condition]
            }
        }
        guard parts.count > 1 else { return parts.first }
        return joint == .all ? .all(parts) : .any(parts)
    }
}
