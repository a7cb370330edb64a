/// Reads PostgREST's filter grammar: `eq.5`, `not.in.(a,"b,c")`, `or=(a.eq.1,and(b.lt.2,c.is.null))`.
struct FilterParser {
    /// Deepest nesting of and/or/not in one parameter. PostgreSQL would bear far more; a person never writes it.
    static let deepest = 50
    /// Most terms in one parameter.
    static let mostTerms = 1_000

    // Scalars, not characters: a combining mark behind a comma or a dot must not swallow it.
    private let text: [Unicode.Scalar]
    private var position = 0
    private let parameter: String
    private var terms = 0

    private init(_ text: String, parameter: String) {
        self.text = Array(text.unicodeScalars)
        self.parameter = parameter
    }

    /// A plain filter `column=<text>`: the value is everything after the operator, literally.
    static func filter(column: String, _ text: String) throws(QueryError) -> Condition {
        var parser = FilterParser(text, parameter: "filter (\(text))")
        return try parser.term(column: column, inTree: false)
    }

    /// The value of an `or=`, `and=`, `not.or=`, `not.and=` parameter.
    static func tree(name: String, _ text: String) throws(QueryError) -> Condition {
        var parser = FilterParser(text, parameter: "logic tree (\(text))")
        let isNegated = name.hasPrefix("not.")
        let word = isNegated ? String(name.dropFirst(4)) : name
        let inner = try parser.group(word: word, depth: 0)
        parser.skipBlanks()
        guard parser.isAtEnd else { throw parser.error("text behind the closing parenthesis") }
        return isNegated ? .not(inner) : inner
    }

    // MARK: - Grammar

    /// `(term, term, …)`.
    private mutating func group(word: String, depth: Int) throws(QueryError) -> Condition {
        guard depth < Self.deepest else { throw .tooComplex("a filter nested deeper than \(Self.deepest)") }
        try expect("(")
        var conditions: [Condition] = []
        repeat {
            skipBlanks()
            conditions.append(try element(depth: depth))
            skipBlanks()
        } while take(",")
        try expect(")")
        return word == "or" ? .any(conditions) : .all(conditions)
    }

    /// `and(…)`, `or(…)`, `not.and(…)`, `not.or(…)` or `column.op.value`.
    private mutating func element(depth: Int) throws(QueryError) -> Condition {
        terms += 1
        guard terms <= Self.mostTerms else { throw .tooComplex("a filter of more than \(Self.mostTerms) terms") }
        for (prefix, word, isNegated) in [
            ("and(", "and", false), ("or(", "or", false), ("not.and(", "and", true), ("not.or(", "or", true),
        ] where startsHere(prefix) {
            position += prefix.count - 1
            let inner = try group(word: word, depth: depth + 1)
            return isNegated ? .not(inner) : inner
        }
        let column = try name()
        try expect(".")
        return try term(column: column, inTree: true)
    }

    /// `[not.]op.value`, from the operator on.
    private mutating func term(column: String, inTree: Bool) throws(QueryError) -> Condition {
        if takeWord("not.") { return .not(try positiveTerm(column: column, inTree: inTree)) }
        return try positiveTerm(column: column, inTree: inTree)
    }

    private mutating func positiveTerm(column: String, inTree: Bool) throws(QueryError) -> Condition {
        let start = position
        let word = takeWhile { $0.properties.isAlphabetic }
        var modifier: String?
        if take("(") {
            modifier = takeWhile { $0 != ")" && $0 != "." }
            try expect(")")
        }
        guard take(".") else {
            position = start
            throw error("expected an operator such as eq, gt, in, is, followed by a dot")
        }
        if let comparison = Filter.Comparison(rawValue: word) {
            guard let modifier else {
                return .term(Filter(column: column, test: .compare(comparison, try value(inTree: inTree))))
            }
            guard let quantifier = Filter.Quantifier(rawValue: modifier), comparison.takesQuantifier else {
                throw error("\(word) takes no (\(modifier))")
            }
            let values = try list("{", "}")
            if !inTree, !isAtEnd { throw error("text behind the closing brace") }
            return .term(Filter(column: column, test: .compareEach(comparison, quantifier, values)))
        }
        if let fullText = Filter.FullText(rawValue: word) {
            return .term(
                Filter(
                    column: column,
                    test: .fullText(fullText, configuration: modifier, try value(inTree: inTree))))
        }
        guard modifier == nil else { throw error("\(word) takes no (\(modifier ?? ""))") }
        switch word {
        case "in":
            let values = try list("(", ")")
            if !inTree, !isAtEnd { throw error("text behind the closing parenthesis") }
            return .term(Filter(column: column, test: .isIn(values)))
        case "is":
            let state = try value(inTree: inTree).lowercased()
            guard let known = Filter.State(rawValue: state) else {
                throw error("is takes null, not_null, true, false or unknown")
            }
            return .term(Filter(column: column, test: .isState(known)))
        default:
            position = start
            throw error("unknown operator \(word)")
        }
    }

    /// In a plain filter everything that is left; in a tree up to the next `,` or `)`, or a quoted text.
    private mutating func value(inTree: Bool) throws(QueryError) -> String {
        guard inTree else {
            let start = position
            position = text.count
            return string(from: start)
        }
        if peek == "\"" { return try quoted() }
        // A value may hold balanced braces and parentheses of its own, as arrays do.
        var depth = 0
        let start = position
        while let next = peek {
            if next == "{" { depth += 1 }
            if next == "}" { depth -= 1 }
            if depth <= 0, next == "," || next == ")" { break }
            position += 1
        }
        return string(from: start)
    }

    /// `(a,"b,c",d)` or `{a,b}`; empty lists allowed.
    private mutating func list(_ open: Unicode.Scalar, _ close: Unicode.Scalar) throws(QueryError) -> [String] {
        try expect(open)
        if take(close) { return [] }
        var values: [String] = []
        repeat {
            if peek == "\"" {
                values.append(try quoted())
            } else {
                values.append(takeWhile { $0 != "," && $0 != close })
            }
        } while take(",")
        try expect(close)
        return values
    }

    /// `"…"` with `\"` and `\\` inside.
    private mutating func quoted() throws(QueryError) -> String {
        try expect("\"")
        var value = String.UnicodeScalarView()
        while let next = peek {
            position += 1
            switch next {
            case "\"": return String(value)
            case "\\":
                guard let escaped = peek else { throw error("a quotation without end") }
                value.append(escaped)
                position += 1
            default: value.append(next)
            }
        }
        throw error("a quotation without end")
    }

    /// A column name, quoted or bare.
    private mutating func name() throws(QueryError) -> String {
        if peek == "\"" { return try quoted() }
        let name = takeWhile { !".,():\"".unicodeScalars.contains($0) }
        guard !name.isEmpty else { throw error("expected a column") }
        return name
    }

    // MARK: - Reading

    private var peek: Unicode.Scalar? { position < text.count ? text[position] : nil }
    private var isAtEnd: Bool { position == text.count }

    /// What was read since `start`.
    private func string(from start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text[start..<position])
        return String(view)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == character else { return false }
        position += 1
        return true
    }

    private mutating func takeWhile(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let next = peek, isPart(next) { position += 1 }
        return string(from: start)
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard startsHere(word) else { return false }
        position += word.unicodeScalars.count
        return true
    }

    private func startsHere(_ word: String) -> Bool { text[position...].starts(with: word.unicodeScalars) }

    private mutating func skipBlanks() { _ = takeWhile { $0 == " " } }

    private mutating func expect(_ character: Unicode.Scalar) throws(QueryError) {
        guard take(character) else { throw error("expected \(character)") }
    }

    private func error(_ what: String) -> QueryError {
        .malformed(part: parameter, details: "\(what) at character \(position + 1)")
    }
}
