/// The package document: what the book is, its files, and their order.
struct PackageDocument {
    struct Item {
        var id: String
        var file: String
        var mediaType: String
        var properties: String?
        var isInOrder = false
    }

    let book: Book
    let items: [Item]
    let hasPicturesWithoutText: Bool

    var bytes: [UInt8] {
        var package = MarkupElement("package")
        package["xmlns"] = "http://www.idpf.org/2007/opf"
        package["version"] = "3.0"
        package["unique-identifier"] = "book-id"
        package["xml:lang"] = book.language
        if book.isRightToLeft { package["dir"] = "rtl" }
        var spine = MarkupElement("spine")
        spine["toc"] = "ncx"
        if book.isRightToLeft { spine["page-progression-direction"] = "rtl" }
        spine.children = items.filter(\.isInOrder).map { .element("itemref", ["idref": $0.id]) }
        package.children = [metadata, .element("manifest", [:], items.map(manifestItem)), .element(spine)]
        var writer = MarkupWriter()
        writer.write(.element(package))
        return writer.bytes
    }

    private func manifestItem(_ item: Item) -> Markup {
        var element = MarkupElement("item")
        element["id"] = item.id
        element["href"] = item.file
        element["media-type"] = item.mediaType
        element["properties"] = item.properties
        return .element(element)
    }

    // MARK: - Metadata

    private var metadata: Markup {
        let articles = book.articles
        var nodes: [Markup] = [
            .element("dc:identifier", ["id": "book-id"], [.text(book.identifier)]),
            dc("title", book.shownTitle), dc("language", book.language),
        ]
        nodes += lines(articles.map(\.byline)).map { dc("creator", $0) }
        nodes += lines(articles.map(\.siteName)).map { dc("publisher", $0) }
        if articles.contains(where: { $0.published != nil }) { nodes.append(dc("date", book.date)) }
        nodes += lines(articles.map { source(of: $0.url) }).map { dc("source", $0) }
        nodes += lines(articles.flatMap(\.tags)).map { dc("subject", $0) }
        if articles.count == 1, let description = lines([articles[0].description]).first {
            nodes.append(dc("description", description))
        }
        nodes.append(property("dcterms:modified", book.date))
        return .element(
            "metadata", ["xmlns:dc": "http://purl.org/dc/elements/1.1/"], nodes + accessibility + coverHint)
    }

    /// The address of the page of an article; nil for one that is not of the web.
    private func source(of url: String) -> String? {
        guard ["http://", "https://"].contains(where: { url.lowercased().hasPrefix($0) }) else { return nil }
        return BookLink.cleaned(url) ?? url
    }

    /// What helps whom (https://www.w3.org/TR/epub-a11y-11/#sec-disc-package).
    private var accessibility: [Markup] {
        let hasPictures = items.contains { $0.mediaType.hasPrefix("image/") && $0.id != Self.coverID }
        var metadata = [property("schema:accessMode", "textual")]
        if hasPictures { metadata.append(property("schema:accessMode", "visual")) }
        if !hasPicturesWithoutText { metadata.append(property("schema:accessModeSufficient", "textual")) }
        metadata += ["tableOfContents", "structuralNavigation", "displayTransformability"].map {
            property("schema:accessibilityFeature", $0)
        }
        if hasPictures, !hasPicturesWithoutText {
            metadata.append(property("schema:accessibilityFeature", "alternativeText"))
        }
        metadata.append(property("schema:accessibilityHazard", "unknown"))
        return metadata
    }

    static let coverID = "cover-image"

    /// How readers of EPUB 2 find the cover.
    private var coverHint: [Markup] {
        book.cover == nil ? [] : [.element("meta", ["name": "cover", "content": Self.coverID])]
    }

    private func dc(_ name: String, _ text: String) -> Markup { .element("dc:\(name)", [:], [.text(text)]) }

    private func property(_ name: String, _ value: String) -> Markup {
        .element("meta", ["property": name], [.text(value)])
    }

    /// Texts as lines, each once, without empty ones.
    private func lines(_ texts: [String?]) -> [String] {
        var seen: Set<String> = []
        return texts.compactMap { $0.map { XMLText.line($0, limit: BookArticle.maxLine) } }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
