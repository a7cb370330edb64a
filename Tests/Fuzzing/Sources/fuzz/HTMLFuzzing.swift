import HTML

/// Tests the HTML parser and what is made of its tree. Pages over their budget are refused, which is no failure.
enum HTMLFuzzing {
    static func test(_ input: [UInt8]) {
        testPlainText(input)
        guard let document = try? Document(parsing: input) else { return }
        _ = TextRenderer().render(document, document.root)
        _ = Markdown.render(document, document.root)
        testSanitizer(String(decoding: input, as: UTF8.self))
    }

    private static func testPlainText(_ input: [UInt8]) {
        let limit = 1_000
        let bytes = PlainText.of(input, limit: limit).lines.reduce(0) { $0 + $1.utf8.count }
        // An invalid byte becomes a character of three.
        promise(bytes <= 3 * limit, "the plain text has \(bytes) bytes")
    }

    /// The sanitizer's output is stable and has neither scripts nor handlers.
    private static func testSanitizer(_ page: String) {
        guard let safe = try? Sanitizer().sanitize(page) else { return }
        if let again = try? Sanitizer().sanitize(safe) { promise(again == safe, "the output is not stable: \(safe)") }
        var document = Document()
        guard let fragment = try? document.parseFragment(Array(safe.utf8)) else { return }
        document.forEachNode(below: fragment) { node in
            promise(
                !forbidden.contains(document.name(of: node)), "the output has a \(document.name(of: node)): \(safe)")
            for attribute in document.allAttributes(node) {
                let isHandler = attribute.name.hasPrefix("on") || attribute.name == "srcdoc"
                let isScript = attribute.value.lowercased().hasPrefix("javascript:")
                promise(!isHandler && !isScript, "the output has the attribute \(attribute.name): \(safe)")
            }
        }
    }

    private static let forbidden: Set<String> = [
        "script", "style", "iframe", "object", "embed", "base", "meta", "link", "form", "svg", "template",
    ]
}
