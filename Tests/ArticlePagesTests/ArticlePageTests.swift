import Testing

@testable import ArticlePages

@Suite("Article pages")
struct ArticlePageTests {
    private let page = ArticlePage(
        title: "<script>alert(1)</script>", url: "javascript:alert(1)", byline: "A <b> & \"C\"", siteName: nil,
        published: "2026",
        lang: "de\" onload=\"x", dir: "ltr>", content: "<p>kept</p>")

    @Test("only the content is markup")
    func escaped() {
        let html = page.html
        #expect(!html.contains("<script") && !html.contains("onload") && html.hasPrefix("<!DOCTYPE html>\n<html>\n"))
        #expect(html.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>"))
        #expect(html.contains("A &lt;b&gt; &amp; &quot;C&quot; · 2026 · javascript:alert(1)"))
        #expect(html.contains("<p>kept</p>"))
    }

    @Test("no script runs and no request is sent, whatever the content holds")
    func policy() { #expect(page.html.contains("content=\"default-src 'none'; img-src http: https: data:;")) }

    @Test(
        "only http and https URLs become links",
        arguments: [
            ("http://a/", true), ("HTTPS://a/\"x", true), ("javascript:x", false), ("data:text/html,x", false),
            ("http:/", false),
        ])
    func links(url: String, isLink: Bool) {
        let link = MarkupText.link(to: url, "words")
        #expect(link.hasPrefix("<a href=\"") == isLink)
        #expect(link.filter { $0 == "\"" }.count == (isLink ? 4 : 0))
    }

    @Test("a page is linked by a relative URL of plain characters")
    func path() { #expect(MarkupText.path("1 Über & <b>.html") == "1%20%C3%9Cber%20%26%20%3Cb%3E.html") }
}
