import HTML
import Languages
import Links

/// Reads files that are articles, or that an article links to. The content made from text blocks and from URLs needs no
/// sanitizer: it consists of elements and text created here, serialized as the sanitizer serializes what it allows.
extension PageReader {
    /// Reads a text file in UTF-8. Derives paragraphs, lists and code from the layout of its lines.
    public func readPlainText(_ text: [UInt8], url: String) -> PageReading {
        let blocks = PlainBlocks.of(String(decoding: text, as: UTF8.self))
        let title = PlainBlocks.title(of: blocks)
        return reading(title == nil ? blocks : Array(blocks.dropFirst()), title: title, url: url)
    }

    /// Reads a paginated file, such as a PDF.
    ///
    /// - Parameters:
    ///   - title: from the file's own metadata, which may be meaningless. The same goes for the author.
    ///   - pages: the number of all pages, including those without lines here.
    ///   - isWhole: whether `lines` contains all of the file's text.
    public func readPrinted(
        _ lines: [PrintedLine], title: String?, author: String?, pages: Int, isWhole: Bool, url: String
    ) -> PageReading {
        let blocks = PrintedText.blocks(lines)
        let known =
            OneLine.of(title, limit: 1_000).flatMap { PrintedTitle.isUsable($0) ? $0 : nil }
            ?? PrintedText.title(of: lines)
        var rest = blocks[...]
        // The title is shown above the text and must not be repeated.
        if let first = blocks.first, OneLine.of(first.text) == known { rest = rest.dropFirst() }
        var found = reading(Array(rest), title: known, url: url)
        found.metadata.byline = OneLine.of(author, limit: 1_000)
        found.article?.byline = found.metadata.byline
        if pages > 0 { found.metadata.description = pages == 1 ? "1 page" : "\(pages) pages" }
        found.interstitial = found.article == nil ? .picturesOfText : isWhole ? found.interstitial : .beginningOnly
        return found
    }

    /// Reads HTML rendered from a Markdown file. All of it is the article.
    ///
    /// - Parameter file: the Markdown source. Its front matter is removed before rendering.
    public func readMarkdown(
        _ file: [UInt8], url: String, render: ([UInt8]) -> [UInt8]
    ) throws(ParseError)
        -> PageReading
    {
        var file = file
        let matter = MarkdownFrontMatter.take(from: &file)
        var metadata = PageMetadata()
        metadata.title = matter.title
        metadata.byline = OneLine.of(matter.author, limit: 1_000)
        metadata.publishedTime = OneLine.of(matter.date, limit: 200)
        metadata.description = OneLine.of(matter.description, limit: 5_000)
        metadata.siteName = OneLine.of(matter.site, limit: 1_000)
        metadata.lang = matter.lang
        return try wholeArticle(
            String(decoding: render(file), as: UTF8.self), metadata, direction: matter.direction, url: url)
    }

    /// Reads an HTML page as an article that is all of it, where none was found in it.
    public func readWhole(_ page: [UInt8], url: String) throws(ParseError) -> PageReading {
        let document = try Document(parsing: page, budget: budget)
        let metadata = PageMetadata(document, url: url)
        guard let body = document.first([.body], below: document.root) else {
            return PageReading(metadata: metadata, article: nil, interstitial: .empty)
        }
        let direction = [body, document.html].lazy.compactMap { $0 }.compactMap { document.attribute($0, .dir) }.first
        return try wholeArticle(
            Serializer.innerHTML(document, of: body), metadata, direction: direction, url: url)
    }

    /// An article that is all of some HTML, which is sanitised here. The heading at its start is its title.
    ///
    /// - Parameter direction: as the file states it.
    func wholeArticle(
        _ html: String, _ known: PageMetadata, direction: String? = nil, url: String = ""
    ) throws(ParseError) -> PageReading {
        var metadata = known
        let clean = try Sanitizer(base: WebAddress(url), budget: articleBudget).sanitize(html)
        var document = Document()
        let fragment = try document.parseFragment(Array(clean.utf8), budget: articleBudget)
        var title = metadata.title
        if let first = document.firstChildElement(fragment), document.tag(first) == .h1 {
            let heading = OneLine.of(document.textContent(first))
            if title == nil || title == heading { document.detach(first) }
            title = title ?? heading
        }
        metadata.title = OneLine.of(title, limit: 1_000) ?? FileName.of(url)
        let text = TextRenderer().render(document, fragment)
        metadata.lang = Languages.language(declared: metadata.lang, of: text)
        let isBlank = text.allSatisfy(\.isWhitespace) && !document.contains([.img], below: fragment)
        let article = StoredArticle(
            title: metadata.title ?? "", byline: metadata.byline, content: Serializer.innerHTML(document, of: fragment),
            textContent: text, excerpt: metadata.description,
            siteName: OneLine.of(metadata.siteName, limit: 1_000), lang: metadata.lang,
            dir: StoredArticle.direction(stated: direction, lang: metadata.lang),
            publishedTime: metadata.publishedTime, length: text.utf16.count,
            wordCount: WordCount.of(text), readingTime: ReadingTime.minutes(of: text))
        return PageReading(metadata: metadata, article: isBlank ? nil : article, interstitial: isBlank ? .empty : nil)
    }

    /// Reads an image, a sound or a video file. The article shows the image or links to the file.
    public func readMedium(_ medium: MediaKind, url: String) -> PageReading {
        var metadata = PageMetadata()
        metadata.title = FileName.of(url)
        guard let address = WebAddress(url), address.isHTTP else {
            return PageReading(metadata: metadata, article: nil)
        }
        let name = metadata.title ?? address.text
        var document = Document()
        let paragraph = document.makeElement(.p)
        let shown: NodeID
        if medium == .image {
            metadata.image = address.text
            shown = document.makeElement(.img)
            document.set(shown, .src, to: address.text)
            document.set(shown, .alt, to: name)
        } else {
            shown = document.makeElement(.a)
            document.set(shown, .href, to: address.text)
            document.append(document.makeText(name), to: shown)
        }
        document.append(shown, to: paragraph)
        document.append(paragraph, to: document.root)
        let text = medium == .image ? "" : name
        return PageReading(
            metadata: metadata,
            article: StoredArticle(
                title: name, content: Serializer.innerHTML(document, of: document.root), textContent: text,
                length: text.utf16.count,
                wordCount: WordCount.of(text)))
    }

    /// Limit for the text kept of a file: some hundred thousand words.
    private static let maxTextBytes = 4_000_000

    private func reading(_ blocks: [TextBlock], title: String?, url: String) -> PageReading {
        var metadata = PageMetadata()
        metadata.title = OneLine.of(title, limit: 1_000) ?? FileName.of(url)
        var document = Document()
        var texts: [String] = []
        var room = Self.maxTextBytes
        var isWhole = true
        for block in blocks {
            let kept = block.beginning(bytes: room)
            isWhole = kept == block
            guard !kept.text.isEmpty else { break }
            room -= kept.text.utf8.count
            if document.firstChild(document.root) != nil { document.append(document.makeText("\n"), to: document.root) }
            document.append(document.makeBlock(kept), to: document.root)
            texts.append(kept.text)
            guard isWhole else { break }
        }
        guard !texts.isEmpty else { return PageReading(metadata: metadata, article: nil, interstitial: .empty) }
        let text = texts.joined(separator: "\n\n")
        metadata.lang = Languages.language(declared: nil, of: text)
        return PageReading(
            metadata: metadata,
            article: StoredArticle(
                title: metadata.title ?? "", content: Serializer.innerHTML(document, of: document.root),
                textContent: text, lang: metadata.lang, dir: metadata.lang.map(Languages.direction),
                length: text.utf16.count, wordCount: WordCount.of(text), readingTime: ReadingTime.minutes(of: text)),
            interstitial: isWhole ? nil : .beginningOnly)
    }
}

extension Document {
    fileprivate mutating func makeBlock(_ block: TextBlock) -> NodeID {
        let element: NodeID
        switch block {
        case .heading(let text):
            element = makeElement(.h2)
            append(makeText(text), to: element)
        case .paragraph(let text):
            element = makeElement(.p)
            append(makeText(text), to: element)
        case .preformatted(let text):
            element = makeElement(.pre)
            append(makeText(text), to: element)
        case .lines(let lines):
            element = makeElement(.p)
            for (place, line) in lines.enumerated() {
                if place > 0 { append(makeElement(.br), to: element) }
                append(makeText(line), to: element)
            }
        }
        return element
    }
}
