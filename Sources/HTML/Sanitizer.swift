import Links

/// Makes HTML of strangers safe to show: only elements, attributes and addresses of a list stay.
///
/// The answer is a fixed point: parsing it and writing it again gives the same bytes, so that no browser can read
/// something else in it than was checked (mutation XSS). It holds neither SVG nor an element whose text is read by other
/// rules, and of MathML only what ``SanitizerMath`` names, with nothing but text in it: such mutations are made of HTML
/// inside of those.
public struct Sanitizer: Sendable {
    /// What relative addresses are relative to; without it they go.
    public var base: WebAddress?

    /// Of each of its parses.
    public var budget: ParseBudget

    public init(base: WebAddress? = nil, budget: ParseBudget = ParseBudget()) {
        self.base = base
        self.budget = budget
    }

    /// Rounds that mark-up gets to come to rest. Real pages need one or two.
    private static let rounds = 5

    /// The HTML that is left. Throws only when the input is beyond ``budget``.
    public func sanitize(_ html: String) throws(ParseError) -> String {
        var current = Array(html.utf8)
        // Taking elements out may make a nesting that parsers read otherwise; each round brings it nearer to what they
        // read.
        for _ in 0..<Sanitizer.rounds {
            let next = try cleaned(current).html
            if next == current { return String(decoding: next, as: UTF8.self) }
            current = next
        }
        return try textAlone(of: current)
    }

    private func cleaned(_ html: [UInt8]) throws(ParseError) -> SanitizerPass {
        var document = Document()
        let fragment = try document.parseFragment(html, budget: budget)
        var pass = SanitizerPass(document: document, scope: fragment, base: base)
        pass.run()
        return pass
    }

    /// The last resort for mark-up that never comes to rest.
    private func textAlone(of html: [UInt8]) throws(ParseError) -> String {
        let pass = try cleaned(html)
        var document = pass.document
        // A parser reads a carriage return as a line feed, so it could not stay one.
        let text = TextRenderer().render(document, pass.scope).utf8.map { $0 == 0x0D ? 0x0A : $0 }
        let paragraph = document.makeElement(.p)
        let page = document.makeElement(.div)
        document.append(document.makeText(text), to: paragraph)
        document.append(paragraph, to: page)
        return Serializer.innerHTML(document, of: page)
    }
}
