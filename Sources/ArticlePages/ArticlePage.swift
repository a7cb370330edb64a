/// An article as a self-contained HTML page.
public struct ArticlePage {
    private let title: String?
    private let url: String
    private let byline: String?
    private let siteName: String?
    private let published: String?
    private let lang: String?
    private let dir: String?
    private let content: String

    /// - Parameter content: sanitised HTML.
    public init(
        title: String?, url: String, byline: String?, siteName: String?, published: String?, lang: String?,
        dir: String?,
        content: String
    ) {
        (self.title, self.url, self.byline, self.siteName) = (title, url, byline, siteName)
        (self.published, self.lang, self.dir, self.content) = (published, lang, dir, content)
    }

    public var html: String {
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
