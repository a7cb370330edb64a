import Testing

@testable import Readability

@Suite("Readability / packages of books")
struct EPUBPackageTests {
    private static let container = "<container><rootfile full-path='a/b.opf'/></container>"
    private static let package = """
        <package><metadata><dc:title>T</dc:title><dc:creator>A</dc:creator><dc:creator>B</dc:creator></metadata><manifest>
        <item id="1" href="one%20.xhtml" media-type="application/xhtml+xml"/>
        <item id="2" href="../two.html" media-type="text/html"/>
        <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
        <item id="p" href="p.png" media-type="image/png"/>
        <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
        </manifest><spine><itemref idref="nav"/><itemref idref="2"/><itemref idref="p"/><itemref idref="1"/>
        <itemref idref="missing"/></spine></package>
        """
    private static let contents =
        "<navPoint><navLabel><text>Two</text></navLabel><content src='../two.html#x'/></navPoint>"

    private func package(_ parts: [String: String]) throws -> EPUBPackage {
        try EPUBPackage { path in parts[path].map { Array($0.utf8) } }
    }

    @Test("chapters come in the order of the spine, with titles of the table of contents")
    func chapters() throws {
        let package = try package([
            "META-INF/container.xml": Self.container, "a/b.opf": Self.package, "a/toc.ncx": Self.contents,
        ])
        #expect(package.title == "T" && package.authors == ["A", "B"])
        #expect(
            package.chapters == [
                EPUBPackage.Chapter(path: "two.html", title: "Two"), EPUBPackage.Chapter(path: "a/one .xhtml"),
            ])
    }

    @Test("a book without a container, a package or chapters is damaged")
    func damaged() {
        for parts in [
            [:], ["META-INF/container.xml": Self.container],
            ["META-INF/container.xml": Self.container, "a/b.opf": "<package>"],
        ] {
            #expect(throws: EPUBPackage.Failure.damaged) { try package(parts) }
        }
    }

    @Test("a book with an encrypted chapter is locked, one with an encrypted font is not")
    func encrypted() throws {
        for (path, isLocked) in [("two.html", true), ("a/font.otf", false)] {
            let parts = [
                "META-INF/container.xml": Self.container, "a/b.opf": Self.package,
                "META-INF/encryption.xml": "<enc:CipherReference URI='\(path)'/>",
            ]
            let isRead = (try? package(parts)) != nil
            #expect(isRead != isLocked)
        }
    }

    @Test(
        "references are resolved inside the book and never lead out of it",
        arguments: [
            ("c.xhtml#n", "a/c.xhtml", "n"), ("#n", "a/b.xhtml", "n"), ("./d/../c", "a/c", nil), ("/x", "x", nil),
            ("../../x", nil, nil), ("https://example.org/", nil, nil), ("mailto:a@b", nil, nil), ("//x/y", nil, nil),
            ("%C3%A4", "a/ä", nil), ("%", "a/%", nil),
        ] as [(String, String?, String?)])
    func references(reference: String, path: String?, fragment: String?) {
        let target = EPUBPath.resolve(reference, from: "a/b.xhtml")
        #expect(target?.path == path && target?.fragment == fragment)
    }

    @Test(
        "an element that XHTML closes in its tag gets an end tag",
        arguments: [
            ("<a id='x'/>text<br/>", "<a id='x'></a>text<br/>"), ("<title/>", "<title></title>"),
            ("1 < 2 /> 3", "1 < 2 /> 3"), ("<p title='/>'>x</p>", "<p title='/>'>x</p>"), ("<a", "<a"),
            ("</p/>", "</p/>"),
        ])
    func selfClosing(xhtml: String, html: String) {
        #expect(String(decoding: XHTML.asHTML(Array(xhtml.utf8)), as: UTF8.self) == html)
    }
}
