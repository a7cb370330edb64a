import Testing

@testable import Readability

@Suite("Readability / code blocks")
struct CodeBlocksTests {
    @Test(
        "a code block becomes its lines, whatever its markup",
        arguments: [
            "<pre><code class=language-js>let a\n  b()</code></pre>",
            "<div class='highlight highlight-source-js'><button class=copy>Copy</button><pre><span class=k>let</span> a\n  b()</pre></div>",
            "<pre class=language-js><code><span class='token comment'>let a</span>\n  b()<span class=line-numbers-rows><span></span></span></code></pre>",
            "<pre class='lang-js'><code><span class=line>let a</span><span class=line>  b()</span></code></pre>",
            "<pre class='lang-js'><code><span class=ln>1</span>let a\n<span class=ln>2</span>  b()</code></pre>",
            "<pre class='brush: js'><div>let a</div><div>  b()</div></pre>",
            "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre class=language-js>let a\n  b()</pre></td></tr></table>",
            "<figure class='highlight language-js'><table><tr><td class=gutter><pre>1<br>2</pre></td><td class=code><pre><span class=line>let a</span><br><span class=line>  b()</span><br></pre></td></tr></table></figure>",
            "<pre><code class='hljs js'><table class=hljs-ln><tr><td class=hljs-ln-numbers data-line-number=1></td><td class=hljs-ln-code>let a</td></tr><tr><td class=hljs-ln-numbers></td><td class=hljs-ln-code>  b()</td></tr></table></code></pre>",
        ])
    func lines(html: String) throws {
        let page = try RichPage(html)
        #expect(page.content.contains("let a\n  b()</"), Comment(rawValue: page.content))
        #expect(page.content.contains(#"data-language="js""#), Comment(rawValue: page.content))
        #expect(!page.content.contains("Copy") && !page.content.contains("<table"))
    }

    @Test("preformatted text keeps markup that is not highlighting")
    func verse() throws {
        let page = try RichPage("<pre>Roses are <em>red</em>\n<span>violets</span> <a href=/b>blue</a></pre>")
        #expect(page.content.contains("Roses are <em>red</em>\nviolets <a href=\"http://host.example/b\""))
    }

    @Test("a data table is not a code block")
    func table() throws {
        #expect(
            try RichPage("<table><tr><th>n</th><th>code</th></tr><tr><td>1</td><td><code>a</code></td></tr></table>")
                .content.contains("<table"))
    }
}
