import Testing

@testable import Readability

@Suite("Readability / lead, tail and sections")
struct BlockClassifierEdgesTests {
    @Test(
        "dates, authors and labels before the first paragraph are removed",
        arguments: [
            "<p>By MARK Miller</p>", "<p>Published MARK</p><p>News</p>".replacing("MARK", with: "12 March 2024"),
            "<span>MARK</span>",
            "<p><a href=/>Home</a> › <a href=/n>MARK</a></p>", "<div class=entry-meta>12 comments, MARK</div>",
        ])
    func lead(html: String) throws {
        let page = try TrimmedPage(before: html)
        #expect(!page.textHasMark && !page.article.textContent.contains("March"))
    }

    @Test(
        "headings, lists and code before the first paragraph stay",
        arguments: ["<h2>MARK</h2>", "<ul><li>MARK</li><li>Milk</li></ul>", "<pre>MARK</pre>"])
    func otherLead(html: String) throws { #expect(try TrimmedPage(before: html).textHasMark) }

    @Test("a repetition of the title is removed")
    func title() throws {
        let page = try TrimmedPage(
            before: "<p><b>MARK, an island and its ferry</b></p>", head: "<title>MARK, an island and its ferry</title>")
        #expect(!page.textHasMark)
    }

    @Test(
        "a standfirst before the text stays, whatever its element and class",
        arguments: [
            "<h2>MARK</h2>", "<div class=deck><p>MARK</p></div>", "<p>MARK</p>", "<p class=standfirst>MARK</p>",
            "<p class=article__vorspann>MARK</p>", "<p class=summary>MARK</p>",
        ])
    func standfirst(html: String) throws {
        let line = "MARK is an island with one ferry, which is one more than it needs."
        let html = html.replacing("MARK", with: line)
        #expect(try TrimmedPage(before: html).textHasMark)
        #expect(try TrimmedPage(before: html, head: "<meta name=description content='\(line)'>").textHasMark)
    }

    @Test(
        "reading times, view counts and newsletter offers are removed",
        arguments: [
            "<p>Temps de lecture : 4 min. MARK</p>", "<p>Lesezeit: 4 Min. MARK</p>", "<p>Просмотров: 1 842 MARK</p>",
            "<p>Apúntate al boletín de MARK y recíbelo cada semana</p>",
            "<p class=post-info>Paris, 6 h, MARK, 4 min.</p>",
        ])
    func furniture(html: String) throws { #expect(try !TrimmedPage(before: html).textHasMark) }

    @Test(
        "a line with the author's name and the date is removed",
        arguments: ["Inés Robledo · 2 de noviembre de 2025", "Inés Robledo, 2.11.2025", "2 Nov 2025 | Inés Robledo"])
    func authorAndDate(line: String) throws {
        let page = try TrimmedPage(before: "<p>\(line)</p>", head: "<meta name=author content='Inés Robledo'>")
        #expect(page.article.textContent.hasPrefix("The ferry"))
    }

    @Test(
        "headings, credits and author boxes after the last paragraph are removed",
        arguments: [
            "<h3>MARK</h3>", "<p>© 2024 MARK</p>", "<p>Follow MARK on <a href=/t>Twitter</a></p>",
            "<div class=author-bio><p>MARK lives by the sea.</p></div>",
            "<p>MARK Miller contributed to this report.</p>",
            "<p>MARK asks: what would you do? Tell us what you think in the comments below.</p>",
            "<p>Published: 12 March 2024</p><p class=tags>MARK</p>",
        ])
    func tail(html: String) throws { #expect(try !TrimmedPage(after: html).textHasMark) }

    @Test(
        "a biography at the end is removed, whichever part of the author's name it begins with",
        arguments: ["Anna Miller", "Anna", "Ms. Miller", "Dr. Miller"])
    func biography(name: String) throws {
        let head = "<meta name=author content='John Roe, Anna Miller'>"
        #expect(
            try !TrimmedPage(after: "<p>\(name) is a MARK who lives by the sea and writes.</p>", head: head).textHasMark
        )
        #expect(
            try TrimmedPage(after: "<p>Ms. Millers is a MARK who lives by the sea and writes.</p>", head: head)
                .textHasMark)
    }

    @Test(
        "lists, code, tables and sentences at the end stay",
        arguments: [
            "<ol><li>MARK</li><li>Milk</li></ol>", "<pre>MARK</pre>",
            "<p>And that, says MARK, is all there is to say.</p>",
            "<table><tr><td>MARK</td><td>1</td></tr><tr><td>2</td><td>3</td></tr></table>",
        ])
    func otherTail(html: String) throws { #expect(try TrimmedPage(after: html).textHasMark) }

    @Test("a comments section is removed with its content; a section of the article stays")
    func sections() throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(try !TrimmedPage(after: "<h3>Comments</h3>\(words)").textHasMark)
        #expect(try TrimmedPage(after: "<h3>Winter</h3>\(words)").textHasMark)
        #expect(try TrimmedPage(after: "<h3>Comments</h3><p>Good.</p><h3>Winter</h3>\(words)").textHasMark)
    }

    @Test(
        "sections with related articles and comments are removed in every language",
        arguments: [
            "You may also like", "Related stories", "Comments (12)", "Das könnte dich auch interessieren", "Lire aussi",
            "También te puede interesar",
            "Ti potrebbe interessare", "Lees ook", "Материалы по теме", "Czytaj także", "あわせて読みたい", "相关推荐", "댓글 3개",
            "مقالات ذات صلة",
            "12 comments", "评论（12）", "コメント（3件）", "Kommentare – 5", "More from the Tidewater",
            "Subscribe to our newsletter",
        ])
    func sectionNames(heading: String) throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(try !TrimmedPage(after: "<h3>\(heading)</h3>\(words)").textHasMark)
    }

    @Test(
        "headings of the article that begin with the same words stay",
        arguments: [
            "Discussion", "Related work", "Comments on the method", "More on the proof", "Categories of error",
            "Reviews of the literature",
            "Recommended", "Most popular dishes", "Latest news from the island", "Follow us into the forest",
            "Weitere Themen der Sitzung",
            "Beliebte Artikel im Test", "Ajouter un commentaire dans le code", "Te recomendamos visitar el puerto",
            "Последние новости с острова",
            "人気ランキング第1位 島", "Mest läst i staden", "Polecane", "نظرات",
        ])
    func otherSections(heading: String) throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(try TrimmedPage(after: "<h3>\(heading)</h3>\(words)").textHasMark)
    }

    @Test("a heading of another foreign section does not end the foreign section before it")
    func twoSections() throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(
            try !TrimmedPage(after: "<h3>You may also like</h3><p>Cows.</p><h3>Trending in sports</h3>\(words)")
                .textHasMark)
    }

    @Test("a section ends at a heading of its rank, not at a lower one")
    func ranks() throws {
        let page = try TrimmedPage(
            after: "<h2>Comments</h2><p>Good.</p><h3>Anna</h3><p>MARK is where I was born, as you know.</p>")
        #expect(!page.textHasMark)
    }

    @Test("a section of links in a box of its own ends with the box if text follows")
    func boxes() throws {
        let links = "<ul><li><a href=/a>A story about the cows of the island</a></li><li><a href=/b>Bread</a></li></ul>"
        let text = "<p>MARK is where the ferry has landed for a hundred years, as every child on the island knows.</p>"
        let page = try TrimmedPage(after: "<div><div><h3>Related</h3>\(links)</div></div>\(text)")
        #expect(page.textHasMark && !page.article.textContent.contains("Related"))
    }

    @Test("the salutation of a letter stays")
    func salutation() throws {
        #expect(try TrimmedPage(before: "<p>Dear MARK,</p>").textHasMark)
        #expect(try !TrimmedPage(before: "<p>Dear MARK</p>").textHasMark)
    }

    @Test(
        "requests for support and buttons below contributions are removed",
        arguments: [
            "<p>Hazte miembro y lee MARK</p>", "<p>Quelle: MARK</p>", "<p>Alle Angaben ohne Gewähr, MARK</p>",
            "<p>Would you consider supporting MARK? Thank you.</p>",
            "<p>Dieser Beitrag gibt die Meinung des Autors wieder, MARK.</p>", "<div>Antworten</div>",
        ])
    func requests(html: String) throws {
        let page = try TrimmedPage(after: html)
        #expect(!page.textHasMark && !page.article.textContent.contains("Antworten"))
    }

    @Test("a company's description of itself is removed; a section about the subject stays")
    func company() throws {
        let words =
            "<p>MARK moves one hundred thousand people, three thousand cows and all of the letters each year.</p>"
        let head = "<title>Island Ferries moves to a new quay</title>"
        #expect(try !TrimmedPage(after: "<h3>About Island Ferries</h3>\(words)", head: head).textHasMark)
        #expect(try !TrimmedPage(after: "<p>– ends –</p>\(words)", head: head).textHasMark)
        #expect(
            try TrimmedPage(after: "<h3>About the quay and its stones</h3>\(words)", head: "<title>Cows</title>")
                .textHasMark)
    }
}
