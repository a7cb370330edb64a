import Links

/// Makes untrusted HTML safe to display: only allow-listed elements, attributes and URLs stay.
///
/// The result is a fixed point: parsing and serializing it yields the same bytes, so no browser can interpret it
/// differently from what was checked (mutation XSS). It contains no SVG and no element whose text is parsed by special
/// rules, and of MathML only what ``SanitizerMath`` lists, with nothing but text inside. Mutation attacks rely on HTML
/// inside such elements.
public struct Sanitizer: Sendable {
    /// Base URL for relative URLs; without it they are removed.
    public var base: WebAddress?

    /// Budget of each parse.
    public var budget: ParseBudget

    public init(base: WebAddress? = nil, budget: ParseBudget = ParseBudget()) {
        self.base = base
        self.budget = budget
    }

    /// Maximum number of passes until the markup is stable. Real pages need one or two.
    private static let maximumPasses = 5

    /// Returns the sanitized HTML. Throws only if the input exceeds ``budget``.
    public func sanitize(_ html: String) throws(ParseError) -> String {
        var current = Array(html.utf8)
        // Removing elements can create nesting that parsers read differently; each pass brings the markup closer to a
        // fixed point.
        for _ in 0..<Sanitizer.maximumPasses {
            let next = try cleaned(current).html
            if next == current { return String(decoding: next, as: UTF8.self) }
            current = next
        }
        return try textOnly(of: current)
    }

    private func cleaned(_ html: [UInt8]) throws(ParseError) -> SanitizerPass {
        var document = Document()
        let fragment = try document.parseFragment(html, budget: budget)
        var pass = SanitizerPass(document: document, scope: fragment, base: base)
        pass.run()
        return pass
    }

    /// Fallback for markup that never becomes stable: keeps only its text.
    private func textOnly(of html: [UInt8]) throws(ParseError) -> String {
        let pass = try cleaned(html)
        var document = pass.document
        // A parser reads a carriage return as a line feed, so the output must not contain one.
        let text = TextRenderer().render(document, pass.scope).utf8.map { $0 == 0x0D ? 0x0A : $0 }
        let paragraph = document.makeElement(.p)
        let page = document.makeElement(.div)
        document.append(document.makeText(text), to: paragraph)
        document.append(paragraph, to: page)
        return Serializer.innerHTML(document, of: page)
    }
}
