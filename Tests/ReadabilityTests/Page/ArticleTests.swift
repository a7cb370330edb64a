import JSON
import Testing

@testable import Readability

@Suite("Readability / article")
struct ArticleTests {
    private let article = Article(title: "T", content: "<p>é𝄞 x</p>", textContent: "é𝄞 x", readerable: true)

    @Test("the length is counted in UTF-16 code units")
    func length() { #expect(article.length == 5) }

    @Test("the JSON object has Readability's members; missing values are null")
    func members() {
        let json = JSON.object(article.members)
        #expect(json["title"]?.string == "T" && json["length"] == .number(5) && json["readerable"] == .bool(true))
        #expect(json["byline"] == .null && json["publishedTime"] == .null)
        #expect(article.members.count == 11)
    }
}
