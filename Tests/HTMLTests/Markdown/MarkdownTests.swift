import HTML
import Testing

@Suite("HTML / Markdown")
struct MarkdownTests {
    private func markdown(_ html: String) throws -> String {
        let document = try Document(parsing: html)
        return Markdown.render(document, try #require(document.body))
    }

    @Test(
        "each kind of block and mark has its Markdown syntax",
        arguments: [
            ("<h2>A <i>b</i></h2><p>c</p>", "## A *b*\n\nc\n"), ("<p>a<b> b </b>c</p>", "a **b** c\n"),
            ("<p><a href='http://x/(y)'>t</a></p>", "[t](<http://x/(y)>)\n"), ("<p>a<br>b<br></p>", "a\\\nb\n"),
            ("<p><a href=/x title='a \"b\"'>t</a></p>", "[t](/x \"a \\\"b\\\"\")\n"), ("<p>a<br><br>b</p>", "a\n\nb\n"),
            ("<p><a href=http://x/a_b>http://x/a_b</a></p>", "<http://x/a_b>\n"),
            ("<p>x</p><blockquote><p>a</p><p>b</p></blockquote>", "x\n\n> a\n>\n> b\n"),
            ("<pre><code class='language-c'>a\n b\n</code></pre>", "```c\na\n b\n```\n"),
            ("<pre>```\n\n\n</pre>", "````\n```\n\n\n````\n"),
            ("<blockquote><pre>a\n\nb</pre></blockquote>", "> ```\n> a\n>\n> b\n> ```\n"),
            ("<p><code>a`b</code></p>", "``a`b``\n"), ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb\n"),
            ("<p><code>f(<a href=/x>y</a>)</code></p>", "`f(`[`y`](/x)`)`\n"),
            ("<p>a<code> b </code>c</p>", "a `b` c\n"),
            ("<p><img src=http://x/y alt='a]' title=t></p>", "![a\\]](http://x/y \"t\")\n"),
            (
                "<p><del>x</del> H<sub>2</sub>O <mark>m</mark> <ins>i</ins> <u>u</u></p>",
                "~~x~~ H<sub>2</sub>O <mark>m</mark> <ins>i</ins> u\n"
            ),
            ("<figure><img src=/i alt=a><figcaption>c <i>d</i></figcaption></figure>", "![a](/i)\n\n*c d*\n"),
            ("<dl><dt>T</dt><dd>a</dd><dd>b</dd></dl>", "**T**\n\n- a\n- b\n"),
            ("<details><summary>S</summary>x</details>", "**S**\n\nx\n"),
            ("<video src=/f_m></video><iframe src=/e title='A film'></iframe>", "[/f_m](/f_m)\n\n[A film](/e)\n"),
            ("<a href=/x><h3>a</h3><div>b</div></a>", "### [a](/x)\n\n[b](/x)\n"),
            ("<h2><div>a</div><div>b</div></h2>", "## a b\n"),
        ])
    func signs(html: String, expected: String) throws { #expect(try markdown(html) == expected) }

    @Test(
        "lists stay tight or loose, and adjacent lists stay separate",
        arguments: [
            ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"), ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"),
            ("<ul><li><p>a</p><p>b</p><li><p>c</p></ul>", "- a\n\n  b\n\n- c\n"),
            ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b\n"),
            ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b\n"),
            ("<ul><li>a<ol start=2><li>b</ol></ul>", "- a\n\n  2. b\n"),
            ("<ul><li><hr><li><ul><li>x</ul></ul>", "- ___\n- - x\n"),
            ("<ul><li>a<pre>b</pre></ul>", "- a\n\n  ```\n  b\n  ```\n"),
            ("<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>", "- [x] a\n- [ ] b\n"),
            ("<ul><li>☑ a<li>☐ <b>b</b></ul>", "- [x] a\n- [ ] **b**\n"),
            ("<ul><li>a ☐ b<li>☐c<li><b>☐ d</b></ul><p>☐ e</p>", "- a ☐ b\n- ☐c\n- **☐ d**\n\n☐ e\n"),
        ])
    func lists(html: String, expected: String) throws { #expect(try markdown(html) == expected) }

    @Test(
        "tables with inline content become tables; the cells of other tables become paragraphs",
        arguments: [
            ("<table><tr><th>a<th>b<tr><td>1|2<td>3</table>", "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n"),
            ("<table><tr><td>a<td>b<br>c</table>", "| | |\n| --- | --- |\n| a | b<br>c |\n"),
            (
                "<table><tr><th>a<tr><td rowspan=2>b<td>c<tr><td colspan=2>d</table>",
                "| a | | |\n| --- | --- | --- |\n| b | c |\n| | d | |\n"
            ),
            (
                "<table><caption>k</caption><tr><td><code>a|b</code><td><code>a\\|b</code></table>",
                "*k*\n\n| | |\n| --- | --- |\n| `a\\|b` | <code>a&#92;&#124;b</code> |\n"
            ),
            ("<table><tr><td>a<td><ul><li>b</ul></table>", "a\n\n- b\n"),
            ("<table><tr><td>a<tr><td>b</table>", "a\n\nb\n"),
        ])
    func tables(html: String, expected: String) throws { #expect(try markdown(html) == expected) }

    @Test(
        "text that looks like markup is escaped; other text is not",
        arguments: [
            ("<p># a</p>", "\\# a\n"), ("<p>1. a</p>", "1\\. a\n"), ("<p>- a</p>", "\\- a\n"),
            ("<p>a<br>---</p>", "a\\\n\\---\n"),
            ("<p>a*b_c 2 * 3 _d_</p>", "a\\*b_c 2 * 3 \\_d\\_\n"), ("<p>a|b<br>-|-</p>", "a|b\\\n\\-|-\n"),
            ("<p>&lt;b&gt; &amp;amp; a & b < c</p>", "\\<b> \\&amp; a & b < c\n"),
            ("<p>#tag -x 1.5 C:\\d</p>", "#tag -x 1.5 C:\\d\n"),
            ("<p>[1] [a](b) !<a href=/x>c]</a></p>", "\\[1] \\[a](b) \\![c\\]](/x)\n"), ("<h1>a #</h1>", "# a \\#\n"),
            ("<h1>C#</h1>", "# C#\n"),
            ("<p>&gt; a</p>", "\\> a\n"), ("<p>a > b ~~c~~</p>", "a > b \\~\\~c\\~\\~\n"), ("<p>\\*</p>", "\\\\\\*\n"),
        ])
    func escaped(html: String, expected: String) throws { #expect(try markdown(html) == expected) }

    @Test(
        "emphasis uses delimiters that parsers recognize, or tags",
        arguments: [
            ("<p><b><i>x</i></b></p>", "***x***\n"), ("<p><b>x</b><i>y</i> z</p>", "**x**_y_ z\n"),
            ("<p>a<i>b</i>c</p>", "a*b*c\n"),
            ("<p>a<b>“b”</b>c</p>", "a<strong>“b”</strong>c\n"), ("<p>中<b>文</b>字</p>", "中**文**字\n"),
            ("<p>中<b>「文」</b>字</p>", "中<strong>「文」</strong>字\n"),
            ("<p>a<b>€</b>, €<b>(x)</b></p>", "a<strong>€</strong>, €<strong>(x)</strong>\n"),
            ("<p><b>a&nbsp;</b>b<b></b><i> </i></p>", "**a**\u{A0}b\n"), ("<p><i>a <em>b</em> c</i></p>", "*a b c*\n"),
            ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**\n"),
        ])
    func emphasis(html: String, expected: String) throws { #expect(try markdown(html) == expected) }

    @Test("URLs that execute code are not links")
    func unsafe() throws {
        #expect(try markdown("<p><a href='java\nscript:x()'>a</a> <a href=' DATA:text/html,x'>b</a></p>") == "a b\n")
        #expect(
            try markdown("<p><img src='data:image/svg+xml,x'><img src='data:image/png;base64,x'></p>")
                == "![](data:image/png;base64,x)\n")
    }

    @Test(
        "unlimited nesting becomes flat beyond the depth that parsers support, without losing words",
        arguments: [
            "<blockquote>", "<ul><li>", "<ol start=999999999><li>", "<i><b>", "<table><tr><td>", "<table><tr><td><td>",
            "<dl><dd>", "<pre>",
        ])
    func deep(nested: String) throws {
        let text = try markdown(String(repeating: nested, count: 300) + String(repeating: "<p>word", count: 1_000))
        #expect(text.split { !$0.isLetter }.filter { $0 == "word" }.count == 1_000)
        #expect(text.utf8.count < 200_000)
    }

    @Test(
        "line prefixes do not multiply the size of the text",
        arguments: [
            ("<blockquote>", 250, "<pre>", "a\n"), ("<blockquote>", 16, "", "<p>a"),
            ("<blockquote>", 16, "<p>", "a<br>"),
            ("<ol start=99999999><li>", 8, "<pre>", "a\n"), ("<ol start=99999999><li>", 7, "", "<p>a"),
            ("<blockquote>", 16, "", "<ul><li>a</ul>"),
            ("<blockquote>", 16, "<table>", "<tr><td>a<td>b"), ("<dl><dd>", 7, "", "<p>a"),
        ])
    func prefixes(nested: String, count: Int, block: String, line: String) throws {
        let text = try markdown(
            String(repeating: nested, count: count) + block + String(repeating: line, count: 30_000))
        #expect(text.utf8.count(where: { $0 == UInt8(ascii: "a") }) == 30_000)
        #expect(text.utf8.count < 30_000 * 2 * line.utf8.count + 600_000)
        // No text after the point where the containers became flat turns into code because of its indentation.
        #expect(!text.contains("\n\n    a"))
    }

    @Test("all lines of a quote get its prefix, for any realistic number of lines")
    func manyLines() throws {
        let line = "A line of a program, as long as such lines are.\n"
        let text = try markdown(
            "<blockquote><ul><li><pre>" + String(repeating: line, count: 20_000) + "</pre></ul></blockquote><p>x")
        #expect(text == "> - ```\n" + String(repeating: ">   " + line, count: 20_000) + ">   ```\n\nx\n")
    }

    @Test("a cell that spans more columns than a table may have does not create that many cells")
    func wide() throws {
        let cells = String(repeating: "<td colspan=1000 rowspan=65534>x", count: 50)
        let text = try markdown("<table>" + String(repeating: "<tr>" + cells, count: 50) + "</table>")
        #expect(text.utf8.count < 20_000)
        let tall = try markdown(
            "<table>" + String(repeating: "<tr><td colspan=30 rowspan=65534>x<td>y", count: 1_000) + "</table>")
        #expect(tall.utf8.count < 500_000)
    }
}
