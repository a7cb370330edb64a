import ArticlePages
import HTML
import MarkdownFiles

/// All highlights in one Markdown text, below the titles of their articles.
struct HighlightsMarkdownFormat: LinkFormat {
    static let parts = "highlights"

    let head = "# Highlights\n"
    let foot = ""

    func piece(of link: ExportedLink) -> [UInt8] {
        let about = [link.text("author"), link.text("published").map { String($0.prefix(10)) }].compactMap { $0 }
        let heading = "<h2>\(MarkupText.link(to: link.url, link.title))</h2>"
        let line = about.isEmpty ? "" : "<p>\(MarkupText.escaped(about.joined(separator: " · ")))</p>"
        let head = "\n" + Markdown.render(article: heading + line) + "\n"
        return Array((head + HighlightsMarkdown.text(link.highlights)).utf8)
    }
}
