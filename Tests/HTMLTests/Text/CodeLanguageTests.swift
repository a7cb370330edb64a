import HTML
import Testing

@Suite("HTML / code language")
struct CodeLanguageTests {
    private func language(_ html: String) throws -> String? {
        let document = try Document(parsing: html)
        return CodeLanguage.of(try #require(document.first([.pre], below: document.root)), in: document)
    }

    @Test(
        "classes and attributes of highlighters specify the language",
        arguments: [
            ("<pre><code class='language-Swift x'>a</code></pre>", "swift"), ("<pre class='lang-c++'>a</pre>", "c++"),
            ("<pre class='hljs python'>a</pre>", "python"), ("<pre class='sourceCode haskell'>a</pre>", "haskell"),
            ("<div class=highlight-source-ruby><pre>a</pre></div>", "ruby"), ("<pre data-lang=Go>a</pre>", "go"),
            ("<pre class='brush: js; toolbar: false'>a</pre>", "js"), ("<pre class='brush:php'>a</pre>", "php"),
        ])
    func known(html: String, expected: String) throws { #expect(try language(html) == expected) }

    @Test(
        "other classes specify none",
        arguments: [
            "<pre>a</pre>", "<pre class='language-none'>a</pre>", "<pre class='code box'>a</pre>",
            "<div class=lang-c><pre>a</pre><pre>b</pre></div>", "<pre class='language-<b>'>a</pre>",
        ])
    func unknown(html: String) throws { #expect(try language(html) == nil) }
}
