extension Book {
    /// What a book is made of, in the order in which the files are written. The same book has the same files.
    public struct Contents: Sendable {
        public var files: [BookFile]
        /// The number of pictures in the articles, each once.
        public var pictureCount: Int
        /// The URLs of the pictures that the book does not have, each once.
        public var missingPictures: [String]
    }

    public func contents() -> Contents {
        let names = pictures.enumerated().map { "images/image\($0.offset + 1).\($0.element.kind.fileExtension)" }
        var ids = BookIDs()
        var outline = Outline()
        var (articleParts, titleIDs) = ([ArticleParts](), [String]())
        var fileOfID: [String: String] = [:]
        for (number, article) in articles.enumerated() {
            let file = articles.count == 1 ? "index" : "article\(number + 1)"
            titleIDs.append(ids.next())
            let parts = ArticleParts(article, file: file, pictureNames: names, ids: &ids)
            fileOfID[titleIDs[number]] = parts.parts[0].file
            for part in parts.parts { Self.note(part.content, in: part.file, &fileOfID) }
            outline.add(
                article.shownTitle, target: parts.parts[0].file,
                headings: parts.headings.compactMap { heading in
                    fileOfID[heading.id].map { (heading.level, heading.title, "\($0)#\(heading.id)") }
                })
            articleParts.append(parts)
        }
        let used = articleParts.reduce(into: Set<String>()) { $0.formUnion($1.usedPictures) }
        let shown = zip(names, pictures).filter { used.contains($0.0) }
        let firstFile = articleParts.first?.parts[0].file ?? "nav.xhtml"

        var files: [BookFile] = [
            BookFile("mimetype", Array("application/epub+zip".utf8), isStored: true),
            BookFile("META-INF/container.xml", Array(Self.container.utf8)),
        ]
        let package = PackageDocument(
            book: self, items: items(articleParts, shown),
            hasPicturesWithoutText: articleParts.contains(where: \.hasPicturesWithoutText))
        files.append(BookFile("OEBPS/content.opf", package.bytes))
        files.append(
            BookFile(
                "OEBPS/nav.xhtml",
                NavigationDocument.xhtml(self, outline, hasCover: cover != nil, firstFile: firstFile)))
        files.append(BookFile("OEBPS/toc.ncx", NavigationDocument.ncx(self, outline)))
        files.append(BookFile("OEBPS/style.css", Array(StyleSheet.css.utf8)))
        if let cover {
            let page = ContentDocument.cover(
                title: XMLText.line(title, limit: BookArticle.maxTitle), language: language, file: Self.file(of: cover))
            files.append(BookFile("OEBPS/cover.xhtml", ContentDocument.bytes(page)))
        }
        for (number, parts) in articleParts.enumerated() {
            files += pages(of: articles[number], parts, titleID: titleIDs[number], fileOfID)
        }
        if let cover { files.append(BookFile("OEBPS/" + Self.file(of: cover), cover.content, isStored: true)) }
        files += shown.map { BookFile("OEBPS/" + $0.0, $0.1.content, isStored: true) }
        var missing: [String] = []
        for source in articleParts.flatMap(\.missingPictures) where !missing.contains(source) { missing.append(source) }
        return Contents(files: files, pictureCount: shown.count, missingPictures: missing)
    }

    private static let container = """
        <?xml version="1.0" encoding="utf-8"?>
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile \
        full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
        """

    private static func file(of cover: BookPicture) -> String { "images/cover.\(cover.kind.fileExtension)" }

    /// Records the file of each id.
    private static func note(_ nodes: [Markup], in file: String, _ fileOfID: inout [String: String]) {
        for case .element(let element) in nodes {
            if let id = element["id"] { fileOfID[id] = file }
            note(element.children, in: file, &fileOfID)
        }
    }

    private func pages(
        of article: BookArticle, _ parts: ArticleParts, titleID: String, _ fileOfID: [String: String]
    ) -> [BookFile] {
        parts.parts.enumerated().map { number, part in
            let header = number == 0 ? [ContentDocument.header(of: article, id: titleID)] : []
            let page = ContentDocument.page(
                title: article.shownTitle, language: article.languageTag, isRightToLeft: article.isRightToLeft,
                kind: "bodymatter", header + part.content)
            return BookFile("OEBPS/\(part.file)", ContentDocument.bytes(page, file: part.file, files: fileOfID))
        }
    }

    private func items(
        _ articleParts: [ArticleParts], _ shown: [(name: String, picture: BookPicture)]
    ) -> [PackageDocument.Item] {
        let xhtml = "application/xhtml+xml"
        var items: [PackageDocument.Item] = []
        if let cover {
            items.append(.init(id: "cover", file: "cover.xhtml", mediaType: xhtml, isInOrder: true))
            items.append(
                .init(
                    id: PackageDocument.coverID, file: Self.file(of: cover), mediaType: cover.kind.mediaType,
                    properties: "cover-image"))
        }
        items.append(
            .init(id: "nav", file: "nav.xhtml", mediaType: xhtml, properties: "nav", isInOrder: articles.count > 1))
        items.append(.init(id: "ncx", file: "toc.ncx", mediaType: "application/x-dtbncx+xml"))
        items.append(.init(id: "style", file: "style.css", mediaType: "text/css"))
        for (part, hasFormulas) in articleParts.flatMap({ parts in parts.parts.map { ($0, parts.hasFormulas) } }) {
            items.append(
                .init(
                    id: String(part.file.dropLast(6)), file: part.file, mediaType: xhtml,
                    properties: hasFormulas && Self.contains("math", part.content) ? "mathml" : nil, isInOrder: true))
        }
        for (number, (name, picture)) in shown.enumerated() {
            items.append(.init(id: "image\(number + 1)", file: name, mediaType: picture.kind.mediaType))
        }
        return items
    }

    private static func contains(_ name: String, _ nodes: [Markup]) -> Bool {
        nodes.contains { node in
            guard case .element(let element) = node else { return false }
            return element.name == name || contains(name, element.children)
        }
    }
}
