import HTML
import Testing

@Suite("HTML / Markdown")
struct MarkdownTests {
    private func markdown(_ html: String) throws -> String {
        let document = try Document(parsing: html)
        return Markdown.render(document, try #require(document.body))
    }

    @Test(
        "each kind of block and mark has its signs",
        arguments: [
            ("<h2>A <i>b</i></h2><p>c</p>", "## A *b*\n\nc\n"), ("<p>a<b> b </b>c</p>", "a **b** c\n"),
            ("<p><a href='http://x/(y)'>t</a></p>", "[t](<http://x/(y)>)\n"), ("<p>a<br>b<br></p>", "a\\\nb\n"),
            ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"), ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"),
            ("<p>x</p><blockquote><p>a</p><p>b</p></blockquote>", "x\n\n> a\n>\n> b\n"),
            ("<pre><code class='language-c'>a\n b\n</code></pre>", "```c\na\n b\n```\n"),
            ("<p><code>a`b</code></p>", "``a`b``\n"), ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb\n"),
            ("<p><img src=http://x/y alt='a]'></p>", "![a\\]](http://x/y)\n"),
            ("<table><tr><th>a<th>b<tr><td>1|2<td>3</table>", "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n"),
            ("<p><del>x</del></p>", "~~x~~\n"),
        ])
    func signs(html: String, expected: String) throws { #expect(try markdown(html) == expected) }

    @Test(
        "text that looks like mark-up is escaped",
        arguments: [
            ("<p># a</p>", "\\# a\n"), ("<p>1. a</p>", "1\\. a\n"), ("<p>- a</p>", "\\- a\n"),
            ("<p>a*b_c</p>", "a\\*b\\_c\n"),
            ("<p>&lt;b&gt; &amp;amp;</p>", "\\<b\\> \\&amp;\n"), ("<p>#tag -x 1.5</p>", "#tag -x 1.5\n"),
        ])
    func escaped(html: String, expected: String) throws { #expect(try markdown(html) == expected) }
}
