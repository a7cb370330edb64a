import Testing

@testable import Pictures

@Suite("Pictures / shown pictures")
struct ShownPicturesTests {
    private func shown(_ content: String?, preview: String? = nil, icon: String? = nil) -> [String] {
        ShownPictures(page: "https://example.org/a/page", content: content, preview: preview, icon: icon).pictures
            .map { "\($0.kind) \($0.source)" }
    }

    @Test("the article's pictures are listed in order, each once, by their URL as written")
    func article() {
        let content = """
            <p><img src="https://example.org/1.png" alt="a &gt; b"><img src="/2.png?a=1&amp;b=2">
            <img src="https://example.org/1.png"><video poster="3.jpg"></video></p>
            """
        #expect(
            shown(content, icon: "/sign.png") == [
                "icon https://example.org/sign.png", "article https://example.org/1.png", "article /2.png?a=1&b=2",
                "article 3.jpg",
            ])
    }

    @Test("preview and icon have absolute URLs; a page that names no icon has /favicon.ico")
    func others() {
        #expect(
            shown(nil, preview: "/p.jpg") == [
                "preview https://example.org/p.jpg", "icon https://example.org/favicon.ico",
            ])
    }

    @Test(
        "URLs that are not http or https are not listed",
        arguments: [
            "data:image/png;base64,AAAA", "javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/x.png", "",
            "https://example.org/" + String(repeating: "x", count: 9_000),
        ])
    func refused(source: String) {
        #expect(shown("<img src=\"\(source)\">") == ["icon https://example.org/favicon.ico"])
    }

    @Test("at most a thousand pictures of a page are listed")
    func many() {
        #expect(shown((0..<5_000).map { "<img src=\"/\($0).png\">" }.joined()).count == 1_000)
    }
}
