import HTML

extension PageReader {
    /// Bytes of text that are kept of a page that is too much to be read: some hundred thousand words.
    private static let plainTextBytes = 2_000_000

    /// The page without its mark-up: its title, and its text as the article; a paragraph a line, safe to show.
    ///
    /// For pages beyond ``budget``, so it takes no account of it: its time is in proportion to the page.
    public func readText(_ page: [UInt8]) -> PageReading {
        let plain = PlainText.of(page, limit: Self.plainTextBytes)
        var metadata = PageMetadata()
        metadata.title = OneLine.of(plain.title, most: 1_000)
        let text = plain.lines.joined(separator: "\n")
        guard !text.isEmpty else { return PageReading(metadata: metadata, article: nil) }
        return PageReading(
            metadata: metadata,
            article: StoredArticle(
                title: metadata.title ?? "", content: Self.paragraphs(plain.lines), textContent: text, length: text.utf16.count, wordCount: WordCount.of(text),
                readingTime: ReadingTime.minutes(of: text)))
    }

    /// Lines as HTML. It does not go through the sanitizer, which would parse it, within a budget: it is made of paragraphs and
    /// text alone and written as the sanitizer writes what it lets through, so the answer would be the same.
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
