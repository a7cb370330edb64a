import Testing

@testable import Readability

@Suite("Readability / the part of a page with most of its text")
struct PageRegionTests {
    private static let sentence = "The ferry leaves at noon, when the tide allows it, and returns before dark. "

    private func text(_ body: String) throws -> String {
        try #require(try article("<h1>The ferry and the tide</h1>\(body)", mode: .best)).textContent
    }

    /// Contributions to a thread, each in boxes of its own.
    private func posts(_ count: Int) -> String {
        (1...count).map { number in
            "<div class=message><div class=name>Ann</div><div class=cell><div class=inner>"
                + "Post \(number). \(String(repeating: Self.sentence, count: number == 2 ? 4 : 3))</div></div></div>"
        }.joined()
    }

    @Test("an article that is spread over many boxes is found whole")
    func spread() throws {
        let text = try text("<div id=thread>\(posts(5))</div>")
        for number in 1...5 { #expect(text.contains("Post \(number).")) }
    }

    @Test(
        "of a page with a post of a few words, the post is found, and not the side bar",
        arguments: ["<p>„Tides!“</p><p>– „Then say it.“</p>"])
    func markedPost(post: String) throws {
        let page = """
            <div id=content><div class="post-4 post hentry"><h2>The ferry and the tide</h2>\(post)
            <div class=sharedaddy><h3>Share this:</h3><a href=/s>Mail</a></div></div></div><div id=sidebar><ul>
            <li class=widget><ul class=tweets><li>\(Self.sentence) 6 years ago</li></ul></li>
            <li class=widget><p>\(Self.sentence)</p><p>\(Self.sentence)</p></li></ul></div>
            """
        let text = try text(page)
        #expect(text.contains("ides") && !text.contains("leaves at noon") && !text.contains("Share"))
    }

    @Test("a list of links with the classes of the post is no second post")
    func markedLists() throws {
        let page = """
            <div id=content><div class="post-4 post hentry"><h2>The ferry and the tide</h2><p>Timetable: \
            <a href=/t>for summer</a></p></div><h2>Categories</h2><div class="post-4 post type-post"><ul>
            <li><a href=/1>Tides of the north</a></li><li><a href=/2>Ferries of the south</a></li></ul></div></div>
            <div id=sidebar><h2>Categories</h2><p>\(Self.sentence)</p><p>\(Self.sentence)</p></div>
            """
        let text = try text(page)
        #expect(text.contains("Timetable") && !text.contains("leaves at noon"))
    }

    /// A page about a ferry with what passengers say of it.
    private func product(_ name: String, head: String) throws -> String {
        let text = String(repeating: Self.sentence, count: 2)
        let rows = (1...4).map { "<tr><td>OWN \($0)</td><td>\(text)</td></tr>" }.joined()
        let others = (1...8).map { "<div class=rev><p>OTHERS \($0). \(text)</p></div>" }.joined()
        let page = """
            <h1>The ferry and the tide</h1><div class=shop><div class=about><table>\(rows)</table></div></div>
            <div class=low><div class=x><div class=\(name)>\(others)</div></div></div>
            """
        return try #require(try article(page, head: head, mode: .best)).textContent
    }

    @Test("the reviews on the page of a product are not its text", arguments: ["product-reviews", "bewertungen"])
    func reviews(name: String) throws {
        let text = try product(name, head: "<meta property=og:type content=product>")
        #expect(text.contains("OWN 4") && !text.contains("OTHERS"))
    }

    @Test("what customers say is not the text of a page", arguments: ["testimonials", "kundenstimmen"])
    func testimonials(name: String) throws {
        let text = try product(name, head: "")
        #expect(text.contains("OWN 4") && !text.contains("OTHERS"))
    }

    @Test("a page of reviews that presents no product is an article")
    func criticism() throws { #expect(try product("reviews", head: "").contains("OTHERS")) }

    @Test("a form for members beside a short post is not its text")
    func members() throws {
        let labels = (1...4).map { "<div><label>FORM \($0). \(Self.sentence)</label><input type=checkbox></div>" }
        let form = "<form action=/m><input type=email>\(labels.joined())<p>FORM. \(Self.sentence)</p></form>"
        let harbours = "<ul><li>Harbours\(String(repeating: " and harbours", count: 90))</li></ul>"
        let post = "<div class=b><div>POST. \(String(repeating: Self.sentence, count: 4))</div></div>"
        let text = try text("<div class=shop>\(post)</div><div class=low><div class=x>\(form)</div></div>\(harbours)")
        #expect(text.contains("POST") && !text.contains("FORM"))
    }

    @Test("a form around the article and its comments are not taken for one another")
    func pageInForm() throws {
        let article = String(repeating: "<p>OWN. \(Self.sentence)</p>", count: 8)
        let comments = "<div class=comments>\(String(repeating: "<p>OTHER. \(Self.sentence)</p>", count: 12))</div>"
        for title in ["<h1>The ferry</h1>", ""] {
            let text = try text("<form action=/><input type=email>\(title)\(article)</form>\(comments)")
            #expect(text.contains("OWN") && !text.contains("OTHER"))
        }
    }

    @Test("comments, side bars and the foot of the page are no such part")
    func others() throws {
        let article = "<article><p>\(String(repeating: Self.sentence, count: 9))</p></article>"
        for name in ["comments", "sidebar", "footer"] {
            let other = "<div class=\(name)>\(String(repeating: "<p>OTHER. \(Self.sentence)</p>", count: 8))</div>"
            #expect(try !text(article + other).contains("OTHER"), "\(name)")
        }
    }

    @Test("the comments below a post of a few words are not the article", arguments: ["comments", "nameless"])
    func comments(name: String) throws {
        let comments = (1...8).map { number in
            "<li><b>Ann</b> <div>12 May 2024, 10:\(10 + number)</div><div>OTHER \(number). \(Self.sentence)</div></li>"
        }.joined()
        let text = try text(
            "<div class=entry><p>It was late. We took the last ferry.</p></div><ul class=\(name)>\(comments)</ul>")
        #expect(text.contains("the last ferry") && !text.contains("OTHER"))
    }

    @Test("without a post above them, the contributions are the text")
    func forum() throws {
        let answers = (1...5).map {
            "<div class=comment><p>Ann, 12 May 2024</p><p>Answer \($0). \(Self.sentence)</p></div>"
        }
        let text = try text("<div id=thread>\(answers.joined())</div>")
        for number in 1...5 { #expect(text.contains("Answer \(number).")) }
    }

    @Test("of two articles on a page, the one with the title of the page is taken")
    func twoArticles() throws {
        let own = "<div class=story><h1>The ferry and the tide</h1><p>OWN. \(Self.sentence)</p></div>"
        let next =
            "<div class=story><h1>A tax on kites</h1><p>NEXT. \(String(repeating: Self.sentence, count: 2))</p></div>"
        let page = try article(own + next, head: "<title>The ferry and the tide</title>", mode: .best)
        let text = try #require(page).textContent
        #expect(text.contains("OWN.") && !text.contains("NEXT."))
    }

    @Test("the next story below an article does not belong to it")
    func nextStory() throws {
        let text = String(repeating: Self.sentence, count: 8)
        let own = "<article><h1>The ferry and the tide</h1><p>\(text)</p></article>"
        let next = "<article><h1>A tax on kites</h1><p>NEXT. \(Self.sentence)</p><p>\(Self.sentence)</p></article>"
        let page = try article(
            "<main>\(own)\(next)</main>", head: "<title>The ferry and the tide</title>", mode: .best)
        #expect(try !#require(page).textContent.contains("NEXT."))
    }

    @Test("a long table does not stand for the text around it")
    func table() throws {
        let rows = (1...90).map {
            "<tr><td>Town number \($0), by the sea</td><td>Harbour \($0), with a ferry</td></tr>"
        }.joined()
        let text = try text(
            "<div class=text><p>\(String(repeating: Self.sentence, count: 3))</p></div><div><table>\(rows)</table></div>"
        )
        #expect(text.contains("The ferry leaves at noon"))
    }
}
