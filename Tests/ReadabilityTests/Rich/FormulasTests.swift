import HTML
import Testing

@testable import Readability

@Suite("Readability / formulas")
struct FormulasTests {
    private static let math =
        "<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>"
    private let kept = #"<math alttext="x^2"><mrow><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></mrow></math>"#

    @Test(
        "a formula appears once, as MathML with its TeX",
        arguments: [
            math,
            "<span class=katex><span class=katex-mathml>\(math)</span><span class=katex-html aria-hidden=true><span>x2</span></span></span>",
            "<span class=mwe-math-element><span class='mwe-math-mathml-inline mwe-math-mathml-a11y' style='display:none'>\(math)</span><img class='mwe-math-fallback-image-inline' src=f.svg alt='x^2'></span>",
            "<mjx-container><mjx-math aria-hidden=true>x2</mjx-math><mjx-assistive-mml>\(math)</mjx-assistive-mml></mjx-container>",
            "<span class=MathJax_Preview>x2</span><span class=MathJax><nobr>x2</nobr><span class=MJX_Assistive_MathML>\(math)</span></span><script type='math/tex'>x^2</script>",
        ])
    func once(html: String) throws {
        let page = try RichPage("<p>\(sentence)So \(html) is.</p>")
        #expect(page.content.contains("So \(kept) is."), Comment(rawValue: page.content))
        #expect(page.text.contains("So x2 is."))
        #expect(page.pictures == [])
    }

    @Test("a display formula stays a display formula")
    func display() throws {
        let page = try RichPage(
            "<p><span class=katex-display><span class=katex><span class=katex-mathml>\(Self.math)</span></span></span></p>"
        )
        #expect(page.content.contains(#"<math alttext="x^2" display="block">"#))
    }

    @Test("a formula without MathML keeps its TeX")
    func tex() throws {
        let page = try RichPage("<p>\(sentence)So <script type='math/tex; mode=display'>\\frac{1}{2}</script> is.</p>")
        #expect(
            page.content.contains(#"<math display="block" alttext="\frac{1}{2}"><mtext>\frac{1}{2}</mtext></math>"#))
    }

    @Test("the picture of a formula is not removed as an icon")
    func picture() throws {
        #expect(
            try RichPage("<p>\(sentence)<img class=latex src=f.png alt='x^2' width=20 height=12></p>").pictures.count
                == 1)
    }

    @Test("Markdown contains the TeX between dollar signs")
    func markdown() throws {
        let page = try RichPage("<p>\(sentence)So \(Self.math) is.</p>")
        var document = Document()
        let fragment = try document.parseFragment(Array(page.content.utf8))
        #expect(Markdown.render(document, fragment).contains("So $x^2$ is."))
    }
}
