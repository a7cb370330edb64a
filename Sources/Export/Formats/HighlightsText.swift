import HTML

/// Highlights as Markdown: each passage as a quotation, and its note below it.
enum HighlightsText {
    static func markdown(_ highlights: [ExportedLink.Highlight]) -> String {
        MarkupText.markdown(
            highlights.map { highlight in
                let quote = "<blockquote>\(paragraphs(highlight.quote))</blockquote>"
                return quote + (highlight.note.map(paragraphs) ?? "")
            }.joined())
    }

    private static func paragraphs(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { "<p>\(MarkupText.escaped(String($0)))</p>" }.joined()
    }
}

extension MarkupText {
    /// HTML as Markdown; the text as it is where the HTML is larger than can be parsed.
    static func markdown(_ html: String) -> String {
        // Stored articles can be larger than the pages they come from, because their URLs are absolute.
        var budget = ParseBudget()
        budget.sourceBytes *= 4
        guard let document = try? Document(parsing: html, budget: budget) else { return html }
        return Markdown.render(document, document.body ?? document.root)
    }
}

/// All highlights in one Markdown text, below the titles of their articles.
struct HighlightsMarkdownFormat: LinkFormat {
    static let parts = "highlights"

    let head = "# Highlights\n"
    let foot = ""

    func piece(of link: ExportedLink) -> [UInt8] {
        let about = [link.text("author"), link.text("published").map { String($0.prefix(10)) }].compactMap { $0 }
        let heading = "<h2>\(MarkupText.link(to: link.url, link.title))</h2>"
        let line = about.isEmpty ? "" : "<p>\(MarkupText.escaped(about.joined(separator: " · ")))</p>"
        let head = "\n" + MarkupText.markdown(heading + line) + "\n"
        return Array((head + HighlightsText.markdown(link.highlights)).utf8)
    }
}
