import HTML
import Links
import Testing

@Suite("HTML / sanitized attributes")
struct SanitizerPassAttributesTests {
    private func sanitize(_ html: String) throws -> String {
        try Sanitizer(base: WebAddress("https://site.example/dir/page?q#top")).sanitize(html)
    }

    @Test(
        "links have only http, https and mailto URLs, are absolute and send no referrer",
        arguments: [
            ("<a href='../x'>l</a>", #"<a href="https://site.example/x" rel="noopener noreferrer">l</a>"#),
            ("<a href='mailto:a@b' target=_blank>l</a>", #"<a href="mailto:a@b" rel="noopener noreferrer">l</a>"#),
            ("<a href='javascript:alert(1)'>l</a>", "<a>l</a>"), ("<a href=' java\tscript:alert(1)'>l</a>", "<a>l</a>"),
            ("<a href='&#106;avascript:alert(1)'>l</a>", "<a>l</a>"), ("<a href='data:text/html,x'>l</a>", "<a>l</a>"),
            ("<a href='vbscript:x'>l</a>", "<a>l</a>"), ("<a href='blob:https://a/b'>l</a>", "<a>l</a>"),
            ("<a href='&#1;JaVa\nScRiPt:x'>l</a>", "<a>l</a>"), ("<a href='java&Tab;script&colon;x'>l</a>", "<a>l</a>"),
            ("<a href='http://[<b>]/'>l</a>", "<a>l</a>"), ("<a href='#'>l</a>", "<a>l</a>"),
        ])
    func links(html: String, expected: String) throws { #expect(try sanitize(html) == expected) }

    @Test("without a base URL relative links are removed and links within the page stay")
    func noBase() throws {
        #expect(
            try Sanitizer().sanitize("<a href=x>a</a><a href=#x>b</a><p id=x>c</p>")
                == ##"<a>a</a><a href="#lct-x" rel="noopener noreferrer">b</a><p id="lct-x">c</p>"##)
    }

    @Test(
        "ids get a prefix, and links within the page use it",
        arguments: [
            (
                "<p id=x>a</p><a href=#x>b</a>",
                ##"<p id="lct-x">a</p><a href="#lct-x" rel="noopener noreferrer">b</a>"##
            ),
            (
                "<a href=#é>b</a><p id=é>a</p>",
                ##"<a href="#lct-é" rel="noopener noreferrer">b</a><p id="lct-é">a</p>"##
            ),
            (
                "<a href=#%C3%A9>b</a><p id=é>a</p>",
                ##"<a href="#lct-é" rel="noopener noreferrer">b</a><p id="lct-é">a</p>"##
            ),
            (
                "<a href='https://site.example/dir/page?q#x'>b</a><p id=x>a</p>",
                ##"<a href="#lct-x" rel="noopener noreferrer">b</a><p id="lct-x">a</p>"##
            ),
            (
                "<a name=x>a</a><a href=#x>b</a>",
                ##"<a id="lct-x">a</a><a href="#lct-x" rel="noopener noreferrer">b</a>"##
            ),
            ("<a name=x id=y>a</a>", #"<a id="lct-y">a</a>"#), ("<p id='a b'>a</p>", "<p>a</p>"),
        ])
    func ids(html: String, expected: String) throws { #expect(try sanitize(html) == expected) }

    @Test(
        "a link to a target that is not in the article leads to the original page",
        arguments: ["#x", "#lct-x", "?q#x", "https://site.example/dir/page?q#x"])
    func jumps(address: String) throws {
        let kept = #"<a href="https://site.example/dir/page?q#x" rel="noopener noreferrer">l</a>"#
        #expect(try sanitize("<a href='\(address)'>l</a>") == kept)
    }

    @Test(
        "image sources are http(s) URLs or raster data",
        arguments: [
            ("data:image/png;base64,AAAA", true), ("data:image/svg+xml;base64,AAAA", false),
            ("data:text/html;base64,AAAA", false), ("data:image/png;base64,AA\n\t AA", true),
            ("https://a/b.png", true), ("javascript:x", false), ("data:image/png;base64,A\"onerror=x", false),
            ("data:image/png,<svg>", false),
        ])
    func images(source: String, stays: Bool) throws {
        var document = Document()
        let image = document.makeElement(.img)
        document.append(image, to: document.root)
        document.set(image, .src, to: source)
        #expect(try sanitize(Serializer.innerHTML(document, of: document.root)).contains("src=") == stays)
    }

    @Test("a srcset keeps its valid candidates")
    func sourceSets() throws {
        #expect(
            try sanitize("<img srcset='a.png 1x, javascript:x 2x, //c/d,e.png 480w'>")
                == #"<img srcset="https://site.example/dir/a.png 1x, https://c/d,e.png 480w">"#)
        #expect(try sanitize("<img srcset='data:text/html,x 1x'>") == "<img>")
        #expect(try sanitize("<img srcset='a,&#1; 1x'>") == "<img>")
    }
}
