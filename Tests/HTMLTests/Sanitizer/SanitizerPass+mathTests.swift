import HTML
import Testing

@Suite("HTML / sanitized formulas")
struct SanitizerPassMathTests {
    private func sanitize(_ html: String) throws -> String { try Sanitizer().sanitize(html) }

    @Test(
        "formulas keep the elements that arrange symbols",
        arguments: [
            #"<math alttext="x^2" display="block"><msup><mi mathvariant="normal">x</mi><mn>2</mn></msup></math>"#,
            "<p>So <math><mfrac linethickness=\"0\"><mi>a</mi><mi>b</mi></mfrac></math> is.</p>",
            #"<math><mo stretchy="false">(</mo><mspace width="0.2em"></mspace><mtext>if a &lt; b</mtext></math>"#,
            #"<math><mtable columnalign="left right"><mtr><mtd columnspan="2"><mn>1</mn></mtd></mtr></mtable></math>"#,
            "<math><mmultiscripts><mi>X</mi><mprescripts></mprescripts><none></none><mn>2</mn></mmultiscripts></math>",
        ])
    func formulas(html: String) throws { #expect(try sanitize(html) == html) }

    @Test(
        "everything else is removed from formulas, and the rest keeps its position",
        arguments: [
            (
                "<math><mfrac><menclose><mi>a</mi></menclose><mi>b</mi></mfrac></math>",
                "<math><mfrac><mrow><mi>a</mi></mrow><mi>b</mi></mfrac></math>"
            ),
            ("<math><mrow>loose<mi>a</mi> text</mrow></math>", "<math><mrow><mi>a</mi></mrow></math>"),
            (
                "<math><mtext>a <b onclick=x>b</b><script>c</script><svg>d</svg><style>e</style></mtext></math>",
                "<math><mtext>a b</mtext></math>"
            ),
            ("<math><mtext><math><mi>x</mi></math></mtext></math>", "<math><mtext>x</mtext></math>"),
            ("<math><math><mi>x</mi></math></math>", "<math><mrow><mi>x</mi></mrow></math>"),
            (
                "<math href=x class=y style=z onclick=a><mi href=javascript:b mathcolor=red id=i>x</mi></math>",
                #"<math><mi id="lct-i">x</mi></math>"#
            ),
            (
                "<math><maction actiontype=statusline><mi>x</mi></maction></math>",
                "<math><mrow><mi>x</mi></mrow></math>"
            ),
            (
                "<math><mtext><mglyph><style>x</style></mglyph>y<malignmark></mtext></math>",
                "<math><mtext>y</mtext></math>"
            ),
            (
                "<math><semantics><mi>x</mi><annotation encoding=a>TeX</annotation></semantics></math>",
                "<math><mrow><mi>x</mi></mrow></math>"
            ),
            (
                "<math><mspace width=9999em></mspace><mpadded voffset=-90em><mi>x</mi></mpadded></math>",
                "<math><mspace></mspace><mrow><mi>x</mi></mrow></math>"
            ),
            ("<math></math><math><mrow></mrow></math>x", "x"),
            ("<math alttext='x<y'></math>", #"<math alttext="x&lt;y"><mtext>x&lt;y</mtext></math>"#),
            ("<math><mi>x</mi><p>y</p></math>", "<math><mi>x</mi></math><p>y</p>"),
            ("<math><annotation-xml encoding=text/html><p>y</p></annotation-xml></math>", ""),
            ("<svg><foreignObject><math><mi>x</mi></math></foreignObject></svg>", ""),
        ])
    func reducedFormulas(html: String, expected: String) throws { #expect(try sanitize(html) == expected) }

    @Test("the output for deep and wide formulas is stable")
    func deepFormulas() throws {
        for html in [
            "<math>" + String(repeating: "<mrow>", count: 400) + "<mi>x",
            String(repeating: "<div>", count: 250) + "<math><mrow><mrow><mrow><mrow><mrow><mrow><mi>x",
            "<table><math><mi>x</mi></math><tr><td><math><mtext><table><tr><td>x",
        ] {
            let once = try sanitize(html)
            #expect(try sanitize(once) == once)
        }
    }
}
