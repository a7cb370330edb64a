extension Book {
    /// The files of a book besides its pages, once all articles have been added.
    public struct Frame: Sendable {
        /// The files before the pages.
        public var front: [BookFile]
        /// The files after the pages: the pictures.
        public var back: [BookFile]
    }

    /// - Parameter pictures: the pictures of the book. Those that no article shows are left out.
    public func frame(pictures: [BookPicture]) -> Frame {
        let named = pictures.enumerated().map { (Self.file(of: $0.element, at: $0.offset), $0.element) }
        let shown = named.filter { usedPictures.contains($0.0) }
        let package = PackageDocument(
            book: self, items: items(shown), hasPicturesWithoutText: hasPicturesWithoutText)
        var front: [BookFile] = [
            BookFile("mimetype", Array("application/epub+zip".utf8), isStored: true),
            BookFile("META-INF/container.xml", Array(Self.container.utf8)),
            BookFile("OEBPS/content.opf", package.bytes),
            BookFile(
                "OEBPS/nav.xhtml",
                NavigationDocument.xhtml(
                    self, outline, hasCover: cover != nil, firstFile: pages.first?.file ?? "nav.xhtml")),
            BookFile("OEBPS/toc.ncx", NavigationDocument.ncx(self, outline)),
            BookFile("OEBPS/style.css", Array(StyleSheet.css.utf8)),
        ]
        var back = shown.map { BookFile("OEBPS/" + $0.0, $0.1.content, isStored: true) }
        if let cover {
            let page = ContentDocument.cover(
                title: shownTitle, language: language, file: Self.file(of: cover))
            front.append(BookFile("OEBPS/cover.xhtml", ContentDocument.bytes(page)))
            back.insert(BookFile("OEBPS/" + Self.file(of: cover), cover.content, isStored: true), at: 0)
        }
        return Frame(front: front, back: back)
    }

    private static let container = """
        <?xml version="1.0" encoding="utf-8"?>
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile \
        full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
        """

    private static func file(of cover: BookPicture) -> String { "images/cover.\(cover.kind.fileExtension)" }

    static func file(of picture: BookPicture, at index: Int) -> String {
        "images/image\(index + 1).\(picture.kind.fileExtension)"
    }

    private func items(_ shown: [(name: String, picture: BookPicture)]) -> [PackageDocument.Item] {
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
            .init(id: "nav", file: "nav.xhtml", mediaType: xhtml, properties: "nav", isInOrder: form == .parts))
        items.append(.init(id: "ncx", file: "toc.ncx", mediaType: "application/x-dtbncx+xml"))
        items.append(.init(id: "style", file: "style.css", mediaType: "text/css"))
        for page in pages {
            items.append(
                .init(
                    id: String(page.file.dropLast(6)), file: page.file, mediaType: xhtml,
                    properties: page.hasFormulas ? "mathml" : nil, isInOrder: true))
        }
        for (number, (name, picture)) in shown.enumerated() {
            items.append(.init(id: "image\(number + 1)", file: name, mediaType: picture.kind.mediaType))
        }
        return items
    }
}
