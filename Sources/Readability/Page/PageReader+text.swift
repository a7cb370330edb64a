import HTML
import Languages

extension PageReader {
    /// Limit for the text of a page that is too large to parse: some hundred thousand words.
    private static let plainTextBytes = 2_000_000

    /// Returns the page without markup: its title, and its text as the article, one paragraph per line and safe to
    /// show.
    ///
    /// For pages beyond ``budget``. It does not check the budget; its time is proportional to the page's size.
    public func readText(_ page: [UInt8]) -> PageReading {
        let plain = PlainText.of(page, limit: Self.plainTextBytes)
        var metadata = PageMetadata()
        metadata.title = OneLine.of(plain.title, limit: 1_000)
        let text = plain.lines.joined(separator: "\n")
        guard !text.isEmpty else { return PageReading(metadata: metadata, article: nil) }
        metadata.lang = Languages.language(declared: nil, of: text)
        return PageReading(
            metadata: metadata,
            article: StoredArticle(
                title: metadata.title ?? "", content: Self.paragraphs(plain.lines), textContent: text,
                lang: metadata.lang, dir: metadata.lang.map(Languages.direction),
                length: text.utf16.count, wordCount: WordCount.of(text),
                readingTime: ReadingTime.minutes(of: text)))
    }

    /// Returns the lines as HTML. The sanitizer would parse it within a budget. It is not needed: the HTML consists of
    /// paragraphs and text, serialized as the sanitizer serializes what it allows, so its output would be the same.
    private static func paragraphs(_ lines: [String]) -> String {
        var document = Document()
        for line in lines {
            if document.firstChild(document.root) != nil { document.append(document.makeText("\n"), to: document.root) }
            let paragraph = document.makeElement(.p)
            document.append(document.makeText(line), to: paragraph)
            document.append(paragraph, to: document.root)
        }
        return Serializer.innerHTML(document, of: document.root)
    }
}
