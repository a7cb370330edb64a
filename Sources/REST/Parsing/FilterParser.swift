/// Parses PostgREST's filter grammar: `eq.5`, `not.in.(a,"b,c")`, `or=(a.eq.1,and(b.lt.2,c.is.null))`.
struct FilterParser {
    /// The maximum nesting depth of and, or and not in one parameter. PostgreSQL accepts far more; no client needs it.
    static let maxDepth = 50
    /// The maximum number of terms in one parameter.
    static let maxTerms = 1_000

    private var scanner: QueryScanner
    private var terms = 0

    private init(_ text: String, part: String) { scanner = QueryScanner(text, part: part) }

    /// Parses a plain filter `field=<text>`. Its value is everything after the operator, taken literally.
    static func filter(_ field: Field, _ text: String) throws(QueryError) -> Condition {
        var parser = FilterParser(text, part: "filter (\(text))")
        return try parser.term(field, inTree: false)
    }

    /// Parses the value of a parameter `or`, `and`, `not.or` or `not.and`.
    static func tree(name: String, _ text: String) throws(QueryError) -> Condition {
        var parser = FilterParser(text, part: "logic tree (\(text))")
        let isNegated = name.hasPrefix("not.")
        let word = isNegated ? String(name.dropFirst(4)) : name
        let inner = try parser.group(word: word, depth: 0)
        parser.scanner.skipBlanks()
        try parser.scanner.expectEnd()
        return isNegated ? .not(inner) : inner
    }

    // MARK: - Grammar

    /// `(term, term, …)`.
    private mutating func group(word: String, depth: Int) throws(QueryError) -> Condition {
        guard depth < Self.maxDepth else { throw .tooComplex("A filter nested deeper than \(Self.maxDepth)") }
        try scanner.expect("(")
        var conditions: [Condition] = []
        repeat {
            scanner.skipBlanks()
            conditions.append(try element(depth: depth))
            scanner.skipBlanks()
        } while scanner.take(",")
        try scanner.expect(")")
        return word == "or" ? .any(conditions) : .all(conditions)
    }

    /// `and(…)`, `or(…)`, `not.and(…)`, `not.or(…)` or `column.op.value`.
    private mutating func element(depth: Int) throws(QueryError) -> Condition {
        terms += 1
        guard terms <= Self.maxTerms else { throw .tooComplex("A filter of more than \(Self.maxTerms) terms") }
        for (prefix, word, isNegated) in [
            ("and(", "and", false), ("or(", "or", false), ("not.and(", "and", true), ("not.or(", "or", true),
        ] where scanner.take(prefix) {
            scanner.goBack(to: scanner.position - 1)
            let inner = try group(word: word, depth: depth + 1)
            return isNegated ? .not(inner) : inner
        }
        let field = try scanner.field()
        try scanner.expect(".")
        return try term(field, inTree: true)
    }

    /// `[not.]op.value`, after the field.
    private mutating func term(_ field: Field, inTree: Bool) throws(QueryError) -> Condition {
        if scanner.take("not.") { return .not(.term(Filter(field: field, test: try test(inTree: inTree)))) }
        return .term(Filter(field: field, test: try test(inTree: inTree)))
    }

    /// `op.value`, `op(modifier).value`.
    private mutating func test(inTree: Bool) throws(QueryError) -> Filter.Test {
        let start = scanner.position
        let word = scanner.takeWhile { $0.properties.isAlphabetic }
        var modifier: String?
        if scanner.take("(") {
            modifier = scanner.takeWhile { $0 != ")" && $0 != "." }
            try scanner.expect(")")
        }
        guard scanner.take(".") else {
            scanner.goBack(to: start)
            throw scanner.error("expected an operator such as eq, gt, in, is, followed by a dot")
        }
        if let comparison = Filter.Comparison(rawValue: word) {
            guard let modifier else { return .compare(comparison, try value(inTree: inTree)) }
            guard let quantifier = Filter.Quantifier(rawValue: modifier), comparison.takesQuantifier else {
                throw scanner.error("\(word) does not take (\(modifier))")
            }
            return .compareEach(comparison, quantifier, try list("{", "}", inTree: inTree))
        }
        if let fullText = Filter.FullText(rawValue: word) {
            return .fullText(fullText, configuration: modifier, try value(inTree: inTree))
        }
        guard modifier == nil else { throw scanner.error("\(word) does not take (\(modifier ?? ""))") }
        switch word {
        case "in":
            return .isIn(try list("(", ")", inTree: inTree))
        case "is":
            let state = try value(inTree: inTree).lowercased()
            guard let known = Filter.State(rawValue: state) else {
                throw scanner.error("is takes null, not_null, true, false or unknown")
            }
            return .isState(known)
        default:
            scanner.goBack(to: start)
            throw scanner.error("unknown operator \(word)")
        }
    }

    /// In a plain filter the rest of the text; in a tree the text up to the next `,` or `)`, or a quoted text.
    private mutating func value(inTree: Bool) throws(QueryError) -> String {
        guard inTree else { return scanner.takeAll() }
        if scanner.peek == "\"" { return try scanner.quoted() }
        // The value may contain balanced braces, as arrays do.
        var depth = 0
        return scanner.takeWhile { next in
            if next == "{" { depth += 1 }
            if next == "}" { depth -= 1 }
            return depth > 0 || next != "," && next != ")"
        }
    }

    /// `(a,"b,c",d)` or `{a,b}`; may be empty.
    private mutating func list(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, inTree: Bool
    ) throws(QueryError) -> [String] {
        try scanner.expect(open)
        var values: [String] = []
        if !scanner.take(close) {
            repeat {
                values.append(
                    scanner.peek == "\"" ? try scanner.quoted() : scanner.takeWhile { $0 != "," && $0 != close })
            } while scanner.take(",")
            try scanner.expect(close)
        }
        if !inTree { try scanner.expectEnd() }
        return values
    }
}
