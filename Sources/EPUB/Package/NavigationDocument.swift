/// The table of contents twice: as XHTML for readers of EPUB 3, and as NCX for older ones.
enum NavigationDocument {
    static func xhtml(_ book: Book, _ outline: Outline, hasCover: Bool, firstFile: String) -> [UInt8] {
        let title = book.shownTitle
        var landmarks = [landmark("bodymatter", firstFile, title)]
        // Only what readers show in its turn may be a landmark.
        if book.form == .parts { landmarks.insert(landmark("toc", "nav.xhtml", "Contents"), at: 0) }
        if hasCover { landmarks.insert(landmark("cover", "cover.xhtml", "Cover"), at: 0) }
        let page = ContentDocument.page(
            title: title, language: book.language, isRightToLeft: book.isRightToLeft,
            [
                .element(
                    "nav", ["epub:type": "toc", "role": "doc-toc", "id": "toc"],
                    [.element("h1", [:], [.text(title)]), list(outline.entries)]),
                .element(
                    "nav", ["epub:type": "landmarks", "id": "landmarks", "hidden": "hidden"],
                    [.element("ol", [:], landmarks)]),
            ])
        return ContentDocument.bytes(page)
    }

    private static func landmark(_ kind: String, _ target: String, _ words: String) -> Markup {
        .element("li", [:], [.element("a", ["epub:type": kind, "href": target], [.text(words)])])
    }

    private static func list(_ entries: [Outline.Entry]) -> Markup {
        .element(
            "ol", [:],
            entries.map { entry in
                let link = Markup.element("a", ["href": entry.target], [.text(entry.title)])
                return .element("li", [:], entry.entries.isEmpty ? [link] : [link, list(entry.entries)])
            })
    }

    static func ncx(_ book: Book, _ outline: Outline) -> [UInt8] {
        var place = 0
        func point(_ entry: Outline.Entry) -> Markup {
            place += 1
            let start: [Markup] = [
                .element("navLabel", [:], [.element("text", [:], [.text(entry.title)])]),
                .element("content", ["src": entry.target]),
            ]
            return .element(
                "navPoint", ["id": "p\(place)", "playOrder": "\(place)"], start + entry.entries.map(point))
        }
        let title = book.shownTitle
        let metadata: [(String, String)] = [
            ("dtb:uid", book.identifier), ("dtb:depth", "\(outline.depth)"), ("dtb:totalPageCount", "0"),
            ("dtb:maxPageNumber", "0"),
        ]
        var writer = MarkupWriter()
        writer.write(
            .element(
                "ncx",
                [
                    "xmlns": "http://www.daisy.org/z3986/2005/ncx/", "version": "2005-1", "xml:lang": book.language,
                ],
                [
                    .element("head", [:], metadata.map { .element("meta", ["name": $0.0, "content": $0.1]) }),
                    .element("docTitle", [:], [.element("text", [:], [.text(title)])]),
                    .element("navMap", [:], outline.entries.map(point)),
                ]))
        return writer.bytes
    }
}
