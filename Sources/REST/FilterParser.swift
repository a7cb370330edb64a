/// Reads PostgREST's filter grammar: `eq.5`, `not.in.(a,"b,c")`, `or=(a.eq.1,and(b.lt.2,c.is.null))`.
struct FilterParser {
    /// Deepest nesting of and/or/not in one parameter. PostgreSQL would bear far more; a person never writes it.
    static let deepest = 50
    /// Most terms in one parameter.
    static let mostTerms = 1_000

    private var cursor: QueryScanner
    private var terms = 0

    private init(_ text: String, part: String) { cursor = QueryScanner(text, part: part) }

    /// A plain filter `field=<text>`: the value is everything after the operator, literally.
    static func filter(_ field: Field, _ text: String) throws(QueryError) -> Condition {
        var parser = FilterParser(text, part: "filter (\(text))")
        return try parser.term(field, inTree: false)
    }

    /// The value of an `or=`, `and=`, `not.or=`, `not.and=` parameter.
    static func tree(name: String, _ text: String) throws(QueryError) -> Condition {
        var parser = FilterParser(text, part: "logic tree (\(text))")
        let isNegated = name.hasPrefix("not.")
        let word = isNegated ? String(name.dropFirst(4)) : name
        let inner = try parser.group(word: word, depth: 0)
        parser.cursor.skipBlanks()
        try parser.cursor.expectEnd()
        return isNegated ? .not(inner) : inner
    }

    // MARK: - Grammar

    /// `(term, term, …)`.
    private mutating func group(word: String, depth: Int) throws(QueryError) -> Condition {
        guard depth < Self.deepest else { throw .tooComplex("a filter nested deeper than \(Self.deepest)") }
        try cursor.expect("(")
        var conditions: [Condition] = []
        repeat {
            cursor.skipBlanks()
            conditions.append(try element(depth: depth))
            cursor.skipBlanks()
        } while cursor.take(",")
        try cursor.expect(")")
        return word == "or" ? .any(conditions) : .all(conditions)
    }

    /// `and(…)`, `or(…)`, `not.and(…)`, `not.or(…)` or `column.op.value`.
    private mutating func element(depth: Int) throws(QueryError) -> Condition {
        terms += 1
        guard terms <= Self.mostTerms else { throw .tooComplex("a filter of more than \(Self.mostTerms) terms") }
        for (prefix, word, isNegated) in [
            ("and(", "and", false), ("or(", "or", false), ("not.and(", "and", true), ("not.or(", "or", true),
        ] where cursor.take(prefix) {
            cursor.goBack(to: cursor.position - 1)
            let inner = try group(word: word, depth: depth + 1)
            return isNegated ? .not(inner) : inner
        }
        let field = try cursor.field()
        try cursor.expect(".")
        return try term(field, inTree: true)
    }

    /// `[not.]op.value`, from the operator on.
    private mutating func term(_ field: Field, inTree: Bool) throws(QueryError) -> Condition {
        if cursor.take("not.") { return .not(.term(Filter(field: field, test: try test(inTree: inTree)))) }
        return .term(Filter(field: field, test: try test(inTree: inTree)))
    }

    /// `op.value`, `op(modifier).value`.
    private mutating func test(inTree: Bool) throws(QueryError) -> Filter.Test {
        let start = cursor.position
        let word = cursor.takeWhile { $0.properties.isAlphabetic }
        var modifier: String?
        if cursor.take("(") {
            modifier = cursor.takeWhile { $0 != ")" && $0 != "." }
            try cursor.expect(")")
        }
        guard cursor.take(".") else {
            cursor.goBack(to: start)
            throw cursor.error("expected an operator such as eq, gt, in, is, followed by a dot")
        }
        if let comparison = Filter.Comparison(rawValue: word) {
            guard let modifier else { return .compare(comparison, try value(inTree: inTree)) }
            guard let quantifier = Filter.Quantifier(rawValue: modifier), comparison.takesQuantifier else {
                throw cursor.error("\(word) takes no (\(modifier))")
            }
            return .compareEach(comparison, quantifier, try list("{", "}", inTree: inTree))
        }
        if let fullText = Filter.FullText(rawValue: word) {
            return .fullText(fullText, configuration: modifier, try value(inTree: inTree))
        }
        guard modifier == nil else { throw cursor.error("\(word) takes no (\(modifier ?? ""))") }
        switch word {
        case "in":
            return .isIn(try list("(", ")", inTree: inTree))
        case "is":
            let state = try value(inTree: inTree).lowercased()
            guard let known = Filter.State(rawValue: state) else {
                throw cursor.error("is takes null, not_null, true, false or unknown")
            }
            return .isState(known)
        default:
            cursor.goBack(to: start)
            throw cursor.error("unknown operator \(word)")
        }
    }

    /// In a plain filter everything that is left; in a tree up to the next `,` or `)`, or a quoted text.
    private mutating func value(inTree: Bool) throws(QueryError) -> String {
        guard inTree else { return cursor.takeAll() }
        if cursor.peek == "\"" { return try cursor.quoted() }
        // A value may hold balanced braces of its own, as arrays do.
        var depth = 0
        return cursor.takeWhile { next in
            if next == "{" { depth += 1 }
            if next == "}" { depth -= 1 }
            return depth > 0 || next != "," && next != ")"
        }
    }

    /// `(a,"b,c",d)` or `{a,b}`; empty lists allowed.
    private mutating func list(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, inTree: Bool
    ) throws(QueryError) -> [String] {
        try cursor.expect(open)
        var values: [String] = []
        if !cursor.take(close) {
            repeat {
                values.append(
                    cursor.peek == "\"" ? try cursor.quoted() : cursor.takeWhile { $0 != "," && $0 != close })
            } while cursor.take(",")
            try cursor.expect(close)
        }
        if !inTree { try cursor.expectEnd() }
        return values
    }
}
