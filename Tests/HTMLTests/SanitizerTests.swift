import HTML
import Testing

@Suite("HTML / sanitizer")
struct SanitizerTests {
    private func sanitize(_ html: String) throws -> String {
        try Sanitizer(base: WebAddress("https://site.example/dir/page")).sanitize(html)
    }

    @Test(
        "scripts, handlers, styles, forms and foreign elements go",
        arguments: [
            ("<script>alert(1)</script>x", "x"), ("<p onclick=a style=b class=c>x</p>", "<p>x</p>"),
            ("<form action=x><input><button>b</button>text</form>", "text"),
            ("<svg><script>alert(1)</script></svg>x", "x"),
            ("<style>*{}</style><link rel=x>x", "x"), ("<object data=x>y</object>", ""),
            ("<template><p>x</p></template>", ""),
            ("<custom-element is=x>text</custom-element>", "text"), ("<base href=//evil>x", "x"),
            ("<meta http-equiv=refresh>x", "x"),
            (
                "<math><mi>x</mi><annotation-xml encoding='text/html'><img src onerror=alert(1)></annotation-xml></math>",
                "x"
            ),
            ("<img src=x onerror=alert(1)>", "<img src=\"https://site.example/dir/x\">"),
        ])
    func removed(html: String, expected: String) throws { #expect(try sanitize(html) == expected) }

    @Test(
        "links lead to http, https and mail only, are absolute and give nothing away",
        arguments: [
            ("<a href='../x'>l</a>", #"<a href="https://site.example/x" rel="noopener noreferrer">l</a>"#),
            ("<a href='mailto:a@b' target=_blank>l</a>", #"<a href="mailto:a@b" rel="noopener noreferrer">l</a>"#),
            ("<a href='javascript:alert(1)'>l</a>", "<a>l</a>"), ("<a href=' java\tscript:alert(1)'>l</a>", "<a>l</a>"),
            ("<a href='&#106;avascript:alert(1)'>l</a>", "<a>l</a>"), ("<a href='data:text/html,x'>l</a>", "<a>l</a>"),
            ("<a href='vbscript:x'>l</a>", "<a>l</a>"), ("<a href='blob:https://a/b'>l</a>", "<a>l</a>"),
        ])
    func links(html: String, expected: String) throws { #expect(try sanitize(html) == expected) }

    @Test("ids get our prefix and links within the page follow them")
    func ids() throws {
        #expect(
            try sanitize("<p id=x>a</p><a href=#x>b</a>")
                == ##"<p id="lct-x">a</p><a href="#lct-x" rel="noopener noreferrer">b</a>"##)
    }

    @Test(
        "images come from http(s) or are raster data",
        arguments: [
            ("data:image/png;base64,AAAA", true), ("data:image/svg+xml;base64,AAAA", false),
            ("data:text/html;base64,AAAA", false),
            ("https://a/b.png", true), ("javascript:x", false), ("data:image/png;base64,A\"onerror=x", false),
        ])
    func images(source: String, stays: Bool) throws {
        var document = Document()
        let image = document.makeElement(.img)
        document.append(image, to: document.root)
        document.set(image, .src, to: source)
        #expect(try sanitize(Serializer.innerHTML(document, of: document.root)).contains("src=") == stays)
    }

    @Test("source sets keep their good candidates")
    func sourceSets() throws {
        #expect(
            try sanitize("<img srcset='a.png 1x, javascript:x 2x, //c/d,e.png 480w'>")
                == #"<img srcset="https://site.example/dir/a.png 1x, https://c/d,e.png 480w">"#)
    }

    @Test("an embedded player becomes a link to it")
    func embeds() throws {
        #expect(
            try sanitize("<iframe src='//www.youtube.com/embed/x'></iframe>")
                == #"<a href="https://www.youtube.com/embed/x" rel="noopener noreferrer">https://www.youtube.com/embed/x</a>"#
        )
    }

    @Test(
        "the answer reads back as itself, whatever the parser was tempted to",
        arguments: [
            "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
            "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
            "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
            "<form><math><mtext></form><form><mglyph><svg><mtext><style><path id=\"</style><img onerror=alert(1) src>\">",
            "<p><form><p>x", "<a><div><a>x</a></div></a>", "<table><form><tr><td><p>x</form></table>", "<b><p><b><p>x",
            "<select><option><style></select><img src=x onerror=alert(1)></style>", "<pre>\n\n\nx</pre>",
            "<xmp><p title='</xmp><img onerror=x>'>",
            "<custom><table><custom><td>x", "<button><p><button>x", "<h1><h2>x</h1>y</h2>",
        ])
    func fixedPoint(html: String) throws {
        let once = try sanitize(html)
        #expect(try sanitize(once) == once)
        let document = try Document(parsing: once)
        #expect(
            !document.elements(below: document.root) { node in
                document.allAttributes(node).contains { $0.name.hasPrefix("on") }
            }.contains { _ in true })
        #expect(!document.contains([.script, .style, .iframe, .svg, .math], below: document.root))
    }
}
