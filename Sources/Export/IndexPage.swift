import ArticlePages

/// The page that lists all links, `index.html`.
enum IndexPage {
    static let head = MarkupText.head(title: "My links", lang: nil, dir: nil) + "<h1>My links</h1>\n<ul>\n"
    static let foot = "</ul>\n</body>\n</html>\n"

    /// - Parameter article: the file name of the article's page; nil where the link has no article.
    static func entry(title: String?, url: String, day: String?, tags: String?, article: String?) -> String {
        let title = title.flatMap { $0.isEmpty ? nil : $0 } ?? url
        let about = ([day] + [tags]).compactMap { $0 }.map(MarkupText.escaped).joined(separator: " · ")
        let saved = article.map { "<a href=\"articles/\(MarkupText.path($0))\">\(MarkupText.escaped(title))</a>" }
        let source = MarkupText.link(to: url, url)
        return "<li dir=\"auto\">\(saved ?? MarkupText.escaped(title))<br><small>\(source) · \(about)</small></li>\n"
    }
}
