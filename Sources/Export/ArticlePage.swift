/// An article as a self-contained HTML page.
struct ArticlePage {
    var title: String?
    var url: String
    var byline: String?
    var siteName: String?
    var published: String?
    var lang: String?
    var dir: String?
    /// Sanitised HTML.
    var content: String

    var html: String {
        let title = title.flatMap { $0.isEmpty ? nil : $0 } ?? url
        let source = MarkupText.link(to: url, siteName.flatMap { $0.isEmpty ? nil : $0 } ?? url)
        let about = [byline, published].compactMap { $0 }.filter { !$0.isEmpty }.map(MarkupText.escaped) + [source]
        return MarkupText.head(title: title, lang: lang, dir: dir) + """
            <header>
            <h1>\(MarkupText.escaped(title))</h1>
            <p>\(about.joined(separator: " · "))</p>
            </header>
            <article>
            \(content)
            </article>
            </body>
            </html>

            """
    }
}
