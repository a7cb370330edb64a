/// The highlights and the note of an article as a list at its end.
enum HighlightList {
    /// - Parameter ids: the id of the first mark of each highlight; nil where the text does not hold it.
    static func section(of article: BookArticle, ids: [String?]) -> Markup? {
        var content: [Markup] = []
        if let note = article.note.map(paragraphs), !note.isEmpty {
            content.append(.element("h2", [:], [.text("Note")]))
            content += note
        }
        if !article.highlights.isEmpty {
            content.append(.element("h2", [:], [.text("Highlights")]))
            for (highlight, id) in zip(article.highlights, ids) {
                let quote: Markup = .text(XMLText.line(highlight.quote))
                let linked = id.map { Markup.element("a", ["href": "#\($0)"], [quote]) } ?? quote
                content.append(.element("blockquote", [:], [.element("p", [:], [linked])]))
                content += highlight.note.map(paragraphs) ?? []
            }
        }
        return content.isEmpty ? nil : .element("section", ["class": "highlights"], content)
    }

    private static func paragraphs(_ text: String) -> [Markup] {
        text.split(whereSeparator: \.isNewline).map { XMLText.line(String($0)) }.filter { !$0.isEmpty }
            .map { .element("p", [:], [.text($0)]) }
    }
}
