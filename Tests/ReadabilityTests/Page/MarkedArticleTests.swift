import HTML
import Testing

@testable import Readability

/// A page may mark one of its texts as the article. The mark matters if the search by score found another text.
@Suite("Readability / article claims")
struct MarkedArticleTests {
    /// The search by score chooses these: they have more text and more commas than the article.
    private static let teasers = (1...8).map {
        "<div class=item><h3><a href=/\($0)>Another \($0)</a></h3><p>Teaser \($0): \(sentence)\(sentence)</p></div>"
    }.joined()
    private static let told = (1...40).map {
        "The \($0)th thing the ferryman told us was about the year \(1900 + $0 * 3). "
    }

    private static func page(
        _ head: String = "", box: String, inside: String? = nil, beside: String = ""
    ) throws
        -> Article
    {
        let paragraphs = told.map { "<p>\($0)</p>" }.joined()
        let html =
            "<html><head>\(head)</head><body><div class=wrap><\(box)>\(inside ?? paragraphs)</\(box.prefix { $0 != " " })>\(beside)</div><div class=list>\(teasers)</div></body></html>"
        return try #require(Extraction().article(in: Document(parsing: html), url: "http://host.example/"))
    }

    private static func linked(_ body: String, type: String = "NewsArticle") -> String {
        "<script type=application/ld+json>{\"@type\": \"\(type)\", \"articleBody\": \"\(body)\"}</script>"
    }

    private func isStory(_ article: Article) -> Bool {
        article.textContent.contains("ferryman") && !article.textContent.contains("Teaser")
    }

    @Test("without a claim the search by score decides")
    func unclaimed() throws { #expect(try !isStory(Self.page(box: "div class=community"))) }

    @Test(
        "the text that the page marks as its article is used",
        arguments: [
            ("", "div class=community itemprop=articleBody"), ("", "article class=community"),
            (linked(told.joined()), "div class=community"),
            (linked("<p>" + told.joined(separator: "</p> <p>") + "</p>"), "div class=community"),
            (linked(told.joined().replacing("about", with: "&nbsp;about")), "div class=community"),
            ("", "app-root class=community itemprop=articleBody"),
        ])
    func claimed(head: String, box: String) throws { #expect(try isStory(Self.page(head, box: box))) }

    @Test("without the rule the marked text is not used")
    func withoutRule() throws {
        let html =
            "<body><div class=community itemprop=articleBody>\(Self.told.map { "<p>\($0)</p>" }.joined())</div><div>\(Self.teasers)</div></body>"
        let rules = TrimmingRules.all.subtracting(.claims)
        let found = try #require(
            Extraction(rules: rules).article(in: Document(parsing: html), url: "http://host.example/"))
        #expect(!isStory(found))
    }

    @Test(
        "marked comments, promotions and teasers do not replace the article",
        arguments: [
            "<ol class=comments><article class=comment-body>MARK</article></ol>",
            "<aside><article class=promo>MARK</article></aside>",
            "<div class=modal><article class=cookie-text>MARK</article></div>",
            "<article class=author-bio>MARK</article>", "<article class=teaser>MARK</article>",
            "<div class=related><div itemprop=articleBody>MARK</div></div>",
            "<div class=hero><p class=intro itemprop=articleBody>MARK</p></div>",
        ])
    func marked(html: String) throws {
        let other = (1...8).map {
            "<p>The \($0)th of the things a stranger says, in the year \(1900 + $0 * 3), is here.</p>"
        }
        let words = other.joined().replacing("<p>", with: "").replacing("</p>", with: " ")
        for head in ["", Self.linked(words)] {
            let marked = html.replacing("MARK", with: other.joined())
            let story =
                "<div class=post>\(Self.told.map { "<p>\($0)And nobody, of all those on board, said no.</p>" }.joined())</div>"
            for body in [story + marked, marked + story] {
                let found = try #require(
                    Extraction().article(
                        in: Document(parsing: "<head>\(head)</head><body>\(body)</body>"), url: "http://host.example/"))
                #expect(found.textContent.contains("ferryman"))
            }
        }
    }

    @Test(
        "a claimed text that the page does not show is ignored",
        arguments: [
            linked((1...40).map { "A subscriber reads the \($0)th line of it here. " }.joined()), linked("Too short."),
            linked(""),
            "<script type=application/ld+json>{\"@type\": \"NewsArticle\", \"articleBody\": [\(told.map { "\"\($0)\"" }.joined(separator: ","))]}</script>",
        ])
    func absent(head: String) throws { #expect(try !isStory(Self.page(head, box: "div class=community"))) }

    @Test("several `article` elements are not a claim")
    func several() throws {
        #expect(try !isStory(Self.page(box: "article class=community", beside: "<article><p>One more.</p></article>")))
    }

    @Test("if the search found the article, a marked element around it does not add its comments")
    func surrounding() throws {
        let comments = (1...60).map {
            "<div class=comment><p>Comment \($0) says that, in the end, number \($0 * 31) was the better one, and why.</p></div>"
        }.joined()
        let html =
            "<body><article><div class=story>\(paragraph)\(paragraph)\(paragraph)\(paragraph)</div><div class=comments>\(comments)</div></article></body>"
        let found = try #require(Extraction().article(in: Document(parsing: html), url: "http://host.example/"))
        #expect(found.textContent.contains("Cats sleep") && !found.textContent.contains("Comment 7"))
    }

    @Test("a claim does not show hidden text")
    func hidden() throws { #expect(try !isStory(Self.page(box: "div class=community itemprop=articleBody hidden"))) }

    @Test("only the start of a claim of megabytes is read, and deeply nested pages are searched quickly")
    func large() throws {
        let long = String(repeating: Self.told.joined(), count: 4_000)
        #expect(try isStory(Self.page(Self.linked(long), box: "div class=community itemprop=articleBody")))
        let nested =
            String(repeating: "<div itemprop=articleBody>", count: 60) + Self.told.map { "<p>\($0)</p>" }.joined()
            + String(repeating: "</div>", count: 60)
        #expect(try isStory(Self.page(box: "div class=community", inside: nested)))
        let deep =
            String(repeating: "<div>", count: 400) + Self.told.map { "<p>\($0)</p>" }.joined()
            + String(repeating: "</div>", count: 400)
        #expect(try isStory(Self.page(Self.linked(Self.told.joined()), box: "div class=community", inside: deep)))
    }
}
