import Testing

@testable import HTML

@Suite("HTML / sanitizer MathML")
struct SanitizerMathTests {
    @Test("unknown elements become rows, and table rows stay table rows")
    func names() {
        let written = ["mi", "mfrac", "mspace", "mlabeledtr", "menclose", "maction"]
        #expect(written.map(SanitizerMath.allowedName) == ["mi", "mfrac", "mspace", "mtr", "mrow", "mrow"])
    }

    @Test(
        "attributes have only values that arrange symbols",
        arguments: [
            ("width", "0.2em", "mspace", "0.2em"), ("width", "10em", "mspace", nil), ("width", "5px", "mspace", nil),
            ("linethickness", "0pt", "mfrac", "0"), ("linethickness", "2", "mfrac", nil),
            ("columnalign", "Left right", "mtable", "left right"), ("columnalign", "url(x)", "mtable", nil),
            ("href", "https://h.example/", "mi", nil),
        ] as [(String, String, String, String?)])
    func values(name: String, value: String, element: String, expected: String?) {
        #expect(SanitizerMath.value(of: Attribute(name: name, value: value), on: element) == expected)
    }
}
