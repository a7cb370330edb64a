import HTML
import Testing

@testable import EPUB

@Suite("EPUB / XHTML of an article")
struct ArticleConverterTests {
    /// The XHTML of an article, without the XML declaration.
    private func xhtml(_ content: String, pictures: [String: String] = [:]) throws -> String {
        var converter = ArticleConverter(try Document(parsing: content), pictures: pictures, ids: BookIDs())
        let nodes = converter.convert()
        var files: [String: String] = [:]
        func note(_ nodes: [Markup]) {
            for case .element(let element) in nodes {
                if let id = element["id"] { files[id] = "f" }
                note(element.children)
            }
        }
        note(nodes)
        var writer = MarkupWriter(file: "f", files: files)
        writer.write(nodes)
        return String(decoding: writer.bytes.dropFirst(39), as: UTF8.self)
    }

    @Test(
        "markup that XHTML does not allow is repaired",
        arguments: [
            ("<b><p>a</p></b>", "<p>a</p>"), ("<i>x<div>y</div></i>", "x<div>y</div>"),
            ("<h2>a<div>b</div></h2>", "<h2 id=\"n1\">a<br/>b</h2>"), ("a<br>b<hr>", "a<br/>b<hr/>"),
            (
                "<ul><p>x</p><li>a</li><ul><li>b</li></ul></ul>",
                "<ul><li><p>x</p></li><li>a<ul><li>b</li></ul></li></ul>"
            ),
            ("<ul></ul>", ""), ("<dl><dd>a</dd><dt>b</dt></dl>", "<div><div>a</div><div>b</div></div>"),
            ("<dl><div><dt>a</dt><dd>b</dd></div></dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
            ("<table><tr></tr></table>", "<table><tbody><tr><td></td></tr></tbody></table>"),
            ("<table><caption>only</caption></table>", "<p>only</p>"),
            ("<center><font color='red'>f</font></center>", "<div>f</div>"), ("<strike>s</strike>", "<s>s</s>"),
            ("<header><header>h</header></header>", "<div><div>h</div></div>"), ("<bdo>b</bdo>", "b"),
            ("<ruby>a<rt>b</rt></ruby>", "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>"),
            ("<figure>x<figcaption>1</figcaption>y</figure>", "<figure>xy<figcaption>1</figcaption></figure>"),
            ("<p style='color: red; text-align: center'>x</p>", "<p style=\"text-align: center\">x</p>"),
            ("<p lang='en_us' dir='x'>x</p>", "<p lang=\"en-US\" xml:lang=\"en-US\">x</p>"),
            ("<script>x</script><style>y</style><input>", ""),
        ])
    func repaired(content: String, expected: String) throws { #expect(try xhtml(content) == expected) }

    @Test("control characters are left out, and entities are numbers")
    func text() throws {
        #expect(try xhtml("<p>a\u{1}b\u{B}\u{7F}\u{FFFE}c&nbsp;&lt;&amp;</p>") == "<p>abc&#160;&lt;&amp;</p>")
        #expect(try xhtml("<p title='\u{2}&quot;'>x</p>") == "<p title=\"&quot;\">x</p>")
    }

    @Test("links within the article find their target, others are absolute, and an id is used once")
    func links() throws {
        #expect(
            try xhtml("<a href='#x'>a</a><p id='x'>b</p><p id='x'>c</p>")
                == "<a href=\"#n1\">a</a><p id=\"n1\">b</p><p>c</p>")
        #expect(try xhtml("<a href='#gone'>a</a>") == "<a>a</a>")
        #expect(try xhtml("<a href='javascript:x'>a</a>") == "a")
        #expect(
            try xhtml("<a href='http://a.org/[ü]|?#a#b'>a</a>")
                == "<a href=\"http://a.org/%5B%C3%BC%5D%7C?#a%23b\">a</a>")
        #expect(try xhtml("<a href='http://[::1]/'>a</a>") == "<a href=\"http://[::1]/\">a</a>")
    }

    @Test(
        "an address that is no valid URL is no link",
        arguments: [
            ("mailto:", nil), ("mailto:#a", nil), ("mailto:?subject=s", "mailto:?subject=s"),
            ("mailto:a@b.org", "mailto:a@b.org"), ("http://a@b@c.org/", nil),
            ("http://a@c.org/@b@", "http://a@c.org/@b@"), ("http://xn--/", nil), ("http://a.xn--a.org/", nil),
            ("http://XN--99999999.org/", nil), ("http://xn--mnchen-3ya.de/", "http://xn--mnchen-3ya.de/"),
            ("http://r3---sn.org/", "http://r3---sn.org/"),
        ] as [(String, String?)])
    func invalidAddresses(written: String, kept: String?) throws {
        #expect(try xhtml("<a href='\(written)'>a</a>") == (kept.map { "<a href=\"\($0)\">a</a>" } ?? "a"))
    }

    @Test("a link in a link keeps its text only")
    func nestedLinks() throws {
        let nested = "<a href='https://a.org/'>o<table><tr><td><a href='https://b.org/'>i</a></td></tr></table></a>"
        #expect(try xhtml(nested).ranges(of: "<a ").count == 1)
    }

    @Test("a picture is a file of the book without the attributes of the web")
    func pictures() throws {
        let content =
            "<picture><source srcset='s'><img src='u' alt='w' width='9' height='50%' srcset='x' loading='lazy'></picture>"
        #expect(
            try xhtml(content, pictures: ["u": "images/image1.jpg"])
                == "<img src=\"images/image1.jpg\" alt=\"w\" width=\"9\"/>")
    }

    @Test("a missing picture is its words, which lead to its address")
    func missing() throws {
        #expect(try xhtml("<img src='https://e.org/1' alt='w'>") == "<a href=\"https://e.org/1\">[w]</a>")
        let linked = "<a href='https://z.org/'><img src='https://e.org/1' alt='w'></a>"
        #expect(try xhtml(linked).contains("<span>[w]</span>"))
        #expect(try xhtml("<img src='data:image/png;base64,AA' alt='w'>") == "<span>[w]</span>")
    }

    @Test(
        "a link to nothing but a missing picture without words shows its host",
        arguments: [
            (
                "<a href='https://z.org/a'><figure><img src='https://e.org/1'></figure></a>",
                "<a href=\"https://z.org/a\">[z.org]</a>"
            ),
            (
                "<a href='https://z.org/a'><img src='https://e.org/1' alt=''> z</a>",
                "<a href=\"https://z.org/a\"> z</a>"
            ),
            ("<a href='mailto:a@b.org'><img src='x'></a>", "<a href=\"mailto:a@b.org\">[picture]</a>"),
            (
                "<a href='https://z.org/a'><img src='u'></a>",
                "<a href=\"https://z.org/a\"><img src=\"images/1.jpg\" alt=\"\"/></a>"
            ),
        ])
    func linkedMissing(content: String, expected: String) throws {
        #expect(try xhtml(content, pictures: ["u": "images/1.jpg"]) == expected)
    }

    @Test("players and frames become links")
    func embedded() throws {
        let link = "<p><a href=\"https://v.org/1\">https://v.org/1</a></p>"
        #expect(try xhtml("<iframe src='https://v.org/1'></iframe>") == link)
        #expect(try xhtml("<p><audio><source src='https://v.org/1'></audio></p>") == link)
        #expect(
            try xhtml("<video src='https://v.org/1' poster='p'></video>", pictures: ["p": "images/i.jpg"])
                == "<p><a href=\"https://v.org/1\"><img src=\"images/i.jpg\" alt=\"Video\"/></a></p>")
    }

    @Test("formulas are MathML with the children that each element must have")
    func formulas() throws {
        let formula = "<math display='block'><mfrac><mi>a</mi></mfrac><mtr><mtd><mi>b</mi></mtd></mtr></math>"
        let start = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">"
        let rest = "<mfrac><mi>a</mi><mrow></mrow></mfrac><mrow><mrow><mi>b</mi></mrow></mrow></math>"
        #expect(try xhtml(formula) == start + rest)
    }

    @Test("footnotes are marked as such")
    func footnotes() throws {
        let content = "<p>T<sup><a id='r' href='#n'>1</a></sup></p><ol><li id='n'>Note <a href='#r'>back</a></li></ol>"
        let text = try xhtml(content)
        #expect(text.contains("epub:type=\"noteref\" role=\"doc-noteref\""))
        #expect(text.contains("epub:type=\"footnote\""))
    }

    @Test("nested elements of any depth that the sanitizer allows are converted")
    func deep() throws {
        let depth = 255
        let content = String(repeating: "<div>", count: depth) + "x" + String(repeating: "</div>", count: depth)
        #expect(try xhtml(content).ranges(of: "<div>").count == depth)
    }

    @Test(
        "fifty thousand parts of a list, and as many missing pictures, take no time that users notice",
        .timeLimit(.minutes(1)))
    func many() throws {
        let count = 50_000
        let list = "<ul><li>a</li>" + String(repeating: "x<br>", count: count) + "</ul>"
        let pictures = (0..<count).map { "<img src=\"https://e.org/\($0)\">" }.joined()
        var converter = ArticleConverter(try Document(parsing: list + pictures), pictures: [:], ids: BookIDs())
        guard case .element(let converted)? = converter.convert().first else {
            Issue.record("no list")
            return
        }
        #expect(converted.children.count == 1)
        #expect(converter.missingPictures.count == count)
    }
}
