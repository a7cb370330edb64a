import HTML
import Testing

@Suite("HTML / text renderer")
struct TextRendererTests {
    @Test("white space separates blocks, breaks, rows, cells and items; nothing separates inline elements")
    func renderer() throws {
        let document = try Document(
            parsing: """
                <h1>T</h1><p>a<b>b</b>c<br>d</p><ul><li>1<li>2</ul><table><tr><td>x<td>y<tr><td>z</table><pre>k
                  l</pre><figure><img><figcaption>cap</figcaption></figure>
                """)
        let text = TextRenderer().render(document, try #require(document.body))
        #expect(text == "T\n\nabc\nd\n\n1\n2\n\nx\ty\nz\n\nk\n  l\n\ncap")
        let without = TextRenderer(omitting: [.figcaption]).render(document, try #require(document.body))
        #expect(without.hasSuffix("l"))
    }
}
