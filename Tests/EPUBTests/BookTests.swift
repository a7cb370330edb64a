import Testing

@testable import EPUB

@Suite("EPUB / books")
struct BookTests {
    private func article(_ content: String = "<p>Text</p>", title: String = "Title") -> BookArticle {
        BookArticle(title: title, url: "https://example.org/a", content: content)
    }

    /// A book with all its files.
    private struct MadeBook {
        var files: [BookFile]
        var missingPictures: [String]
    }

    private func book(_ articles: [BookArticle], pictures: [BookPicture] = [], cover: BookPicture? = nil) -> MadeBook {
        var book = Book(
            identifier: "urn:uuid:1", title: articles.first?.title ?? "", form: articles.count == 1 ? .article : .parts)
        book.cover = cover
        let pages = articles.flatMap { book.add($0, pictures: pictures) }
        let frame = book.frame(pictures: pictures)
        return MadeBook(files: frame.front + pages + frame.back, missingPictures: book.missingPictures)
    }

    private func texts(_ book: MadeBook) throws -> [String: String] {
        var texts: [String: String] = [:]
        for file in book.files { texts[file.name] = String(decoding: try file.content(), as: UTF8.self) }
        return texts
    }

    private let picture = BookPicture(.png) { [1, 2, 3] }

    @Test("the media type comes first and is stored")
    func mediaType() throws {
        let first = try #require(book([article()]).files.first)
        #expect(first.name == "mimetype" && first.isStored)
        #expect(try first.content() == Array("application/epub+zip".utf8))
    }

    @Test("a book of one article has the files that the contract names")
    func files() throws {
        let names = book([article()], cover: picture).files.map(\.name)
        #expect(
            names == [
                "mimetype", "META-INF/container.xml", "OEBPS/content.opf", "OEBPS/nav.xhtml", "OEBPS/toc.ncx",
                "OEBPS/style.css", "OEBPS/cover.xhtml", "OEBPS/index.xhtml", "OEBPS/images/cover.png",
            ])
    }

    @Test("metadata come from the article, and a missing language is undetermined")
    func metadata() throws {
        var article = article()
        article.byline = "A. Author"
        article.siteName = "Site & Co"
        article.tags = ["one", "two", "one"]
        article.description = "About\n it"
        article.published = "2025-03-04T05:06:07Z"
        let package = try #require(try texts(book([article]))["OEBPS/content.opf"])
        for part in [
            "<dc:creator>A. Author</dc:creator>", "<dc:publisher>Site &amp; Co</dc:publisher>",
            "<dc:subject>one</dc:subject><dc:subject>two</dc:subject>", "<dc:description>About it</dc:description>",
            "<dc:date>2025-03-04T05:06:07Z</dc:date>", "<dc:source>https://example.org/a</dc:source>",
            "<dc:language>und</dc:language>", "dcterms:modified\">2025-03-04T05:06:07Z<",
        ] {
            #expect(package.contains(part), "\(part)")
        }
    }

    @Test("an address that is not of the web is not the source of a book")
    func sources() throws {
        for url in ["javascript:alert(1)", "data:text/html,x", "mailto:a@example.org"] {
            var article = article()
            article.url = url
            let package = try #require(try texts(book([article]))["OEBPS/content.opf"])
            #expect(!package.contains("dc:source"), "\(url)")
        }
    }

    @Test("text from right to left turns the pages that way")
    func direction() throws {
        var article = article()
        article.language = "ar"
        article.direction = "rtl"
        let texts = try texts(book([article]))
        #expect(texts["OEBPS/content.opf"]?.contains("page-progression-direction=\"rtl\"") == true)
        for file in ["index", "nav"] {
            #expect(texts["OEBPS/\(file).xhtml"]?.contains("lang=\"ar\" xml:lang=\"ar\" dir=\"rtl\"") == true)
        }
        #expect(texts["OEBPS/content.opf"]?.contains("xml:lang=\"ar\" dir=\"rtl\"") == true)
    }

    @Test(
        "a page that leaves the direction to its text has that of its language",
        arguments: [("ar", true), ("he-IL", true), ("en", false), (nil, false)] as [(String?, Bool)])
    func automaticDirection(language: String?, isRightToLeft: Bool) throws {
        var article = article()
        article.language = language
        article.direction = "auto"
        let package = try #require(try texts(book([article]))["OEBPS/content.opf"])
        #expect(package.contains("page-progression-direction=\"rtl\"") == isRightToLeft)
    }

    @Test("Mongolian in its traditional script has vertical lines and turns pages from left to right")
    func verticalLines() throws {
        for (language, isVertical) in [("mn-Mong", true), ("mn_mong_CN", true), ("mn", false), ("ja", false)] {
            var article = article()
            article.language = language
            let texts = try texts(book([article]))
            for file in ["index", "nav"] {
                let page = try #require(texts["OEBPS/\(file).xhtml"])
                #expect(page.contains("writing-mode: vertical-lr") == isVertical, "\(language)")
            }
            #expect(texts["OEBPS/content.opf"]?.contains("page-progression-direction") == false)
        }
    }

    @Test("a picture is in the book once, and only if an article shows it")
    func pictures() throws {
        var article = article("<img src='a'><img src='b'>")
        article.pictures = ["a": 1, "b": 1]
        let made = book([article], pictures: [picture, picture])
        #expect(made.files.map(\.name).filter { $0.contains("images/") } == ["OEBPS/images/image2.png"])
        #expect(made.missingPictures.isEmpty)
    }

    @Test("the source of a missing picture is told once")
    func missing() {
        let made = book([article("<img src='https://e.org/x'><img src='https://e.org/x'>")])
        #expect(made.missingPictures == ["https://e.org/x"])
    }

    @Test("a long article is divided at its headings, and links find their targets in other files")
    func parts() throws {
        let chapters = (1...6).map { number in
            "<h2>Chapter \(number)</h2><p id='p\(number)'>\(String(repeating: "word ", count: 8_000))</p>"
                + "<p><a href='#p\(7 - number)'>link</a></p><h3>Below</h3>"
        }
        let texts = try texts(book([article(chapters.joined())]))
        let pages = texts.keys.filter { $0.hasPrefix("OEBPS/index") }
        #expect(pages.count == 6)
        #expect(texts["OEBPS/index.xhtml"]?.contains("href=\"index-6.xhtml#") == true)
        let navigation = try #require(texts["OEBPS/nav.xhtml"])
        #expect(navigation.contains("<a href=\"index-2.xhtml#"))
        #expect(navigation.ranges(of: "Below").count == 6)
        #expect(texts["OEBPS/toc.ncx"]?.contains("name=\"dtb:depth\" content=\"3\"") == true)
    }

    @Test(
        "a long article is divided at headings in boxes, too",
        arguments: [
            ("", "<section>", "</section>", ""), ("<h1>Title</h1><div lang='de' id='x'>", "", "", "</div>"),
            ("<h1>Title</h1><div style='text-align:center'>", "<div><div>", "</div></div>", "</div>"),
            ("<a href='#x'>y</a><article id='x'>", "<section>", "</section>", "</article>"),
        ])
    func boxes(start: String, before: String, after: String, end: String) throws {
        let chapters = (1...6).map { number in
            "\(before)<h2>Chapter \(number)</h2><p>\(String(repeating: "word ", count: 8_000))</p>\(after)"
        }
        let texts = try texts(book([article(start + chapters.joined() + end)]))
        let pages = texts.filter { $0.key.hasPrefix("OEBPS/index") }
        #expect(pages.values.filter { $0.contains("Chapter") }.count == 6)
        #expect(pages.values.allSatisfy { $0.utf8.count < 60_000 })
        if start.contains("lang") { #expect(pages["OEBPS/index-4.xhtml"]?.contains("<p lang=\"de\"") == true) }
        if start.contains("style") { #expect(pages["OEBPS/index-4.xhtml"]?.contains("text-align: center") == true) }
        if start.contains("href") { #expect(pages["OEBPS/index.xhtml"]?.contains("<div id=\"n2\">") == true) }
    }

    @Test("a link to a section leads to the file that begins with its heading")
    func sections() throws {
        let chapters = (1...4).map { number in
            "<section id='s\(number)'><h2>Chapter \(number)</h2><p>\(String(repeating: "word ", count: 8_000))</p></section>"
        }
        let texts = try texts(book([article("<p><a href='#s3'>3</a></p>" + chapters.joined())]))
        let first = try #require(texts["OEBPS/index.xhtml"])
        let link = try #require(first.firstMatch(of: /<a href="(index-\d\.xhtml)#([a-z0-9]+)">3</))
        let page = try #require(texts["OEBPS/\(link.1)"])
        #expect(page.contains("id=\"\(link.2)\"") && page.contains("Chapter 3"))
    }

    @Test("a box with text of its own stays one")
    func textInBoxes() throws {
        let content = "<div>\(String(repeating: "word ", count: 30_000))<p>x</p></div><p>y</p>"
        let texts = try texts(book([article(content)]))
        #expect(texts["OEBPS/index.xhtml"]?.contains("<p>x</p></div><p>y</p>") == true)
    }

    @Test("several articles are a part each, in their order")
    func several() throws {
        let texts = try texts(book([article(title: "One"), article(title: "Two")]))
        #expect(texts["OEBPS/article2.xhtml"]?.contains(">Two</h1>") == true)
        let navigation = try #require(texts["OEBPS/nav.xhtml"])
        #expect(navigation.contains("<a href=\"article1.xhtml\">One</a></li><li><a href=\"article2.xhtml\">Two</a>"))
    }

    @Test("the same article gives the same files")
    func deterministic() throws {
        var article = article("<p id='b'>x</p><a href='#b'>1</a><a href='#a'>2</a><p id='a'>y</p>")
        article.pictures = Dictionary(uniqueKeysWithValues: (0..<50).map { ("p\($0)", 0) })
        let files = { try texts(book([article], pictures: [picture])) }
        #expect(try files() == files())
    }

    @Test("a title of a million characters is cut, and one without text is the address")
    func titles() throws {
        let long = try texts(book([article(title: String(repeating: "x", count: 1_000_000))]))
        #expect(long["OEBPS/index.xhtml"]?.utf8.count ?? .max < 3_000)
        let empty = try texts(book([article(title: " \u{1} ")]))
        #expect(empty["OEBPS/index.xhtml"]?.contains(">https://example.org/a</h1>") == true)
        #expect(empty["OEBPS/content.opf"]?.contains("<dc:title>https://example.org/a</dc:title>") == true)
        #expect(empty["OEBPS/nav.xhtml"]?.contains("<h1>https://example.org/a</h1>") == true)
    }
}
