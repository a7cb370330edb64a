import HTML
import Testing

@testable import Readability

/// A page of four different paragraphs, extracted in mode best.
struct TrimmedPage {
    static let paragraphs = [
        "The ferry to the island leaves at six, and nobody who lives there would think of taking a later one if it can be helped.",
        "It carries bread, letters, two cows on a bad day, and whoever has found a reason to go to a place without a single shop.",
        "The captain has done this for thirty years, knows every rock, and still reads the forecast twice before he casts off.",
        "On the other side a road leads up to the church, past gardens where nothing is locked and where dogs sleep on the road.",
    ].map { "<p>\($0)</p>" }

    let article: Article

    /// - Parameters:
    ///   - before: HTML before all paragraphs.
    ///   - inside: HTML between the second and the third paragraph.
    ///   - after: HTML after all paragraphs.
    init(before: String = "", inside: String = "", after: String = "", head: String = "", rules: BestRules = .all) throws {
        let text = TrimmedPage.paragraphs
        let body = "<article>\(before)\(text[0])\(text[1])\(inside)\(text[2])\(text[3])\(after)</article>"
        let page = try Document(parsing: "<!DOCTYPE html><html><head>\(head)</head><body>\(body)</body></html>")
        article = try #require(Extraction(rules: rules).article(in: page, url: "http://host.example/dir/page.html"))
    }

    /// Whether the article's text contains MARK.
    var textHasMark: Bool { article.textContent.contains("MARK") }
    var contentHasMark: Bool { article.content.contains("MARK") }
}

@Suite("Readability / trimming")
struct TrimmingTests {
    private static let picture = "<img src=p.jpg width=600 height=400>"

    @Test("every paragraph stays, whatever is removed around it")
    func paragraphs() throws {
        let page = try TrimmedPage(before: "<p>By A. Author</p>", inside: "<p><a href=/x>Read more: cows</a></p>", after: "<h3>Related</h3>")
        for paragraph in TrimmedPage.paragraphs { #expect(page.article.content.contains(paragraph)) }
    }

    @Test(
        "a caption stays in the content but is not part of the article's text",
        arguments: [
            "<figure>\(picture)<figcaption>MARK at sea</figcaption></figure>",
            "<figure>\(picture)<p>MARK at sea</p></figure>",
            "<div class=photo>\(picture)<span class=newsCaption>MARK at sea</span></div>",
            "<div>\(picture)<p class=photo-credit>MARK at sea</p></div>",
            "<p>\(picture)<br><em>MARK at sea</em></p>",
            "<div>\(picture)</div><p>Photo: MARK</p>",
        ])
    func caption(html: String) throws {
        let page = try TrimmedPage(inside: html)
        #expect(page.contentHasMark && !page.textHasMark)
        #expect(page.article.content.contains("<figcaption"))
    }

    @Test(
        "paragraphs, cells and formulas beside a picture are not captions",
        arguments: [
            "<div>\(picture)</div><p>MARK is what the sailors call the rock, and they have called it so for as long as anyone knows.</p>",
            "<p>Where <img src=x.png> is the angle of the MARK:</p>",
            "<table><tr><th>Picture</th><th>Name</th></tr><tr><td>\(picture)</td><td class=caption>MARK</td></tr><tr><td>1</td><td>2</td></tr></table>",
            "<figure><pre><code>let MARK = 1</code></pre></figure>",
            "<div>\(picture)</div><div><p>MARK the wood at the second notch and saw.</p>\(picture)</div>",
            "<div>\(picture)<p>MARK the wood at the second notch and saw.</p>\(picture.replacing("p.jpg", with: "q.jpg"))</div>",
        ])
    func noCaption(html: String) throws { #expect(try TrimmedPage(inside: html).textHasMark) }

    @Test(
        "boxes whose class names other content are removed",
        arguments: [
            "<div class='sdc-article-related-stories'><h3>MARK</h3><ul><li><a href=/a>Cows on a ferry in a storm</a></li></ul></div>",
            "<div class=newsletterSignup><p>MARK every week</p></div>", "<ul class=social-list><li>MARK</li></ul>",
            "<div id=adslot>MARK</div>",
        ])
    func boxes(html: String) throws { #expect(try !TrimmedPage(inside: html).textHasMark) }

    @Test(
        "boxes with content stay even if their class looks similar",
        arguments: [
            "<div class=gradient><p>MARK and a list of harbours</p></div>", "<div class=headache><p>MARK and a headache</p></div>",
            "<div class=related><p>MARK is an island of its own, with a harbour, forty houses, a school that has been shut, and a light that still burns every night.</p></div>",
        ])
    func otherBoxes(html: String) throws { #expect(try TrimmedPage(inside: html).textHasMark) }

    @Test(
        "lines that lead to other articles are removed",
        arguments: [
            "<p>Read more: MARK</p>", "<p><strong>SEE ALSO</strong>: <a href=/x>MARK of the sea</a></p>",
            "<p><a href=/x>How MARK found the island at last</a></p>", "<p>Lesen Sie auch: MARK</p>", "<p>Baca juga: MARK</p>",
            "<ul><li><a href=/a>MARK and the ferry of old</a></li><li><a href=/b>Another one of these stories</a></li></ul>",
        ])
    func lines(html: String) throws { #expect(try !TrimmedPage(inside: html).textHasMark) }

    @Test(
        "lines of the article that look similar stay",
        arguments: [
            "<p>Read more books than MARK did, and you will know.</p>", "<p>Follow the road to MARK, then turn left at the church.</p>",
            "<h2><a href=/m>MARK, the second island</a></h2>", "<h2><a href='#m'>MARK</a></h2>",
            "<p><a href=http://x.example/>http://x.example/MARK</a></p>",
            "<h2>Sources</h2><ul><li><a href=/a>MARK and the ferry of old</a></li><li><a href=/b>Another one of these stories</a></li></ul>",
            "<ul><li>MARK with milk</li><li>Bread</li></ul>", "<blockquote><a href=/x>MARK said this to all of us</a></blockquote>",
        ])
    func otherLines(html: String) throws { #expect(try TrimmedPage(inside: html).textHasMark) }

    @Test(
        "dates, authors and labels before the first paragraph are removed",
        arguments: [
            "<p>By MARK Miller</p>", "<p>Published MARK</p><p>News</p>".replacing("MARK", with: "12 March 2024"), "<span>MARK</span>",
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
        let page = try TrimmedPage(before: "<p><b>MARK, an island and its ferry</b></p>", head: "<title>MARK, an island and its ferry</title>")
        #expect(!page.textHasMark)
    }

    @Test("the description before the text is removed unless it is the first paragraph")
    func standfirst() throws {
        let description = "MARK is an island with one ferry, which is one more than it needs."
        let head = "<meta name=description content='\(description)'>"
        #expect(try !TrimmedPage(before: "<h2>\(description)</h2>", head: head).textHasMark)
        #expect(try !TrimmedPage(before: "<div class=deck><p>\(description)</p></div>", head: head).textHasMark)
        #expect(try TrimmedPage(before: "<p>\(description)</p>", head: head).textHasMark)
    }

    @Test("elements with a standfirst's class are removed; summaries, long ones and those after the text stay")
    func namedStandfirst() throws {
        let line = "MARK is an island with one ferry, which is one more than it needs."
        for name in ["standfirst", "article__vorspann", "chapo", "entradilla"] {
            #expect(try !TrimmedPage(before: "<p class=\(name)>\(line)</p>").textHasMark, "\(name)")
        }
        #expect(try TrimmedPage(before: "<p class=summary>\(line)</p>").textHasMark)
        #expect(try TrimmedPage(before: "<p class=deck>\(line) \(String(repeating: "It needs none, it says. ", count: 12))</p>").textHasMark)
        #expect(try TrimmedPage(after: "<p class=deck>\(line)</p>").textHasMark)
    }

    @Test(
        "reading times, view counts and newsletter offers are removed",
        arguments: [
            "<p>Temps de lecture : 4 min. MARK</p>", "<p>Lesezeit: 4 Min. MARK</p>", "<p>Просмотров: 1 842 MARK</p>",
            "<p>Apúntate al boletín de MARK y recíbelo cada semana</p>", "<p class=post-info>Paris, 6 h, MARK, 4 min.</p>",
        ])
    func furniture(html: String) throws { #expect(try !TrimmedPage(before: html).textHasMark) }

    @Test(
        "headings, credits and author boxes after the last paragraph are removed",
        arguments: [
            "<h3>MARK</h3>", "<p>© 2024 MARK</p>", "<p>Follow MARK on <a href=/t>Twitter</a></p>", "<div class=author-bio><p>MARK lives by the sea.</p></div>",
            "<p>MARK Miller contributed to this report.</p>", "<p>MARK asks: what would you do? Tell us what you think in the comments below.</p>", "<p>Published: 12 March 2024</p><p class=tags>MARK</p>",
        ])
    func tail(html: String) throws { #expect(try !TrimmedPage(after: html).textHasMark) }

    @Test("a biography at the end is removed, whichever part of the author's name it begins with", arguments: ["Anna Miller", "Anna", "Ms. Miller", "Dr. Miller"])
    func biography(name: String) throws {
        let head = "<meta name=author content='John Roe, Anna Miller'>"
        #expect(try !TrimmedPage(after: "<p>\(name) is a MARK who lives by the sea and writes.</p>", head: head).textHasMark)
        #expect(try TrimmedPage(after: "<p>Ms. Millers is a MARK who lives by the sea and writes.</p>", head: head).textHasMark)
    }

    @Test(
        "lists, code, tables and sentences at the end stay",
        arguments: [
            "<ol><li>MARK</li><li>Milk</li></ol>", "<pre>MARK</pre>", "<p>And that, says MARK, is all there is to say.</p>",
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

    @Test("sections with related articles and comments are removed in every language", arguments: [
        "You may also like", "Related stories", "Comments (12)", "Das könnte dich auch interessieren", "Lire aussi", "También te puede interesar",
        "Ti potrebbe interessare", "Lees ook", "Материалы по теме", "Czytaj także", "あわせて読みたい", "相关推荐", "댓글 3개", "مقالات ذات صلة",
        "12 comments", "评论（12）", "コメント（3件）", "Kommentare – 5", "More from the Tidewater", "Subscribe to our newsletter",
    ])
    func sectionNames(heading: String) throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(try !TrimmedPage(after: "<h3>\(heading)</h3>\(words)").textHasMark)
    }

    @Test("headings of the article that begin with the same words stay", arguments: [
        "Discussion", "Related work", "Comments on the method", "More on the proof", "Categories of error", "Reviews of the literature",
        "Recommended", "Most popular dishes", "Latest news from the island", "Follow us into the forest", "Weitere Themen der Sitzung",
        "Beliebte Artikel im Test", "Ajouter un commentaire dans le code", "Te recomendamos visitar el puerto", "Последние новости с острова",
        "人気ランキング第1位 島", "Mest läst i staden", "Polecane", "نظرات",
    ])
    func otherSections(heading: String) throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(try TrimmedPage(after: "<h3>\(heading)</h3>\(words)").textHasMark)
    }

    @Test("a heading of another foreign section does not end the foreign section before it")
    func twoSections() throws {
        let words = "<p>MARK is where cows are kept in winter, as everyone knows.</p>"
        #expect(try !TrimmedPage(after: "<h3>You may also like</h3><p>Cows.</p><h3>Trending in sports</h3>\(words)").textHasMark)
    }

    @Test("a line with the author's name and the date is removed", arguments: ["Inés Robledo · 2 de noviembre de 2025", "Inés Robledo, 2.11.2025", "2 Nov 2025 | Inés Robledo"])
    func authorAndDate(line: String) throws {
        let page = try TrimmedPage(before: "<p>\(line)</p>", head: "<meta name=author content='Inés Robledo'>")
        #expect(page.article.textContent.hasPrefix("The ferry"))
    }

    @Test("a section ends at a heading of its rank, not at a lower one")
    func ranks() throws {
        let page = try TrimmedPage(after: "<h2>Comments</h2><p>Good.</p><h3>Anna</h3><p>MARK is where I was born, as you know.</p>")
        #expect(!page.textHasMark)
    }

    @Test("nothing is removed if most of the text would be")
    func safetyNet() throws {
        let page = try Document(parsing: "<article><p>One dozen words are what a paragraph has that is running text here.</p>"
            + String(repeating: "<p>Read more: MARK MARK MARK MARK MARK MARK MARK</p>", count: 9) + "</article>")
        #expect(Extraction().article(in: page, url: "")?.textContent.contains("MARK") == true)
    }

    @Test("text without spaces is measured by its characters")
    func ideographs() throws {
        let text = "船は毎朝六時に島へ向かい、パンと手紙と、天気の悪い日には二頭の牛を運ぶ。船長は三十年この仕事をしている。"
        let page = try Document(parsing: "<article><p>2024年3月12日</p><p>\(text)</p><p>\(text)船</p><p>関連記事：MARK</p><p>\(text)島</p></article>")
        let found = try #require(Extraction().article(in: page, url: ""))
        #expect(found.textContent.hasPrefix(text) && !found.textContent.contains("MARK"))
    }

    @Test("a part that a button shows and hides is opened, with the button as its heading")
    func disclosures() throws {
        let answer = "Yes, dogs are carried, and so are cats, if somebody holds them all the way. MARK"
        let pages = [
            "<button aria-expanded=false>May dogs come?</button><div hidden><p>\(answer)</p></div>",
            "<h3><button aria-controls=a1>May dogs come?</button></h3><div id=a1 style='display:none'><p>\(answer)</p></div>",
        ]
        for page in pages {
            let read = try TrimmedPage(inside: page)
            #expect(read.textHasMark && read.article.textContent.contains("May dogs come?"))
        }
        let menu = "<button aria-expanded=false>Menu</button><div hidden><a href=/x>MARK</a></div>"
        #expect(try !TrimmedPage(inside: menu).article.textContent.contains("Menu"))
    }

    @Test("notes in the middle and headings in boxes are exempt from cleaning; links are not")
    func exemption() throws {
        let note = "In winter the ferry goes at seven, and not at all when there is ice. MARK"
        #expect(try TrimmedPage(inside: "<aside><p>\(note)</p></aside>").textHasMark)
        #expect(try TrimmedPage(inside: "<div class=heading><h2>MARK</h2><a class=anchor href='#m'></a></div>").textHasMark)
        #expect(try !TrimmedPage(inside: "<aside><p>\(note)</p></aside>", rules: .all.subtracting(.exemptions)).textHasMark)
        #expect(try !TrimmedPage(inside: "<aside><a href=/x>\(note)</a></aside>").textHasMark)
        #expect(try !TrimmedPage(inside: "<aside class=newsletter><p>\(note)</p></aside>").textHasMark)
    }

    @Test("a company's description of itself is removed; a section about the subject stays")
    func company() throws {
        let words = "<p>MARK moves one hundred thousand people, three thousand cows and all of the letters each year.</p>"
        let head = "<title>Island Ferries moves to a new quay</title>"
        #expect(try !TrimmedPage(after: "<h3>About Island Ferries</h3>\(words)", head: head).textHasMark)
        #expect(try !TrimmedPage(after: "<p>– ends –</p>\(words)", head: head).textHasMark)
        #expect(try TrimmedPage(after: "<h3>About the quay and its stones</h3>\(words)", head: "<title>Cows</title>").textHasMark)
    }

    @Test("items with a picture each keep their headings and their text")
    func items() throws {
        let item = "<div class=item><h3>3. The MARK</h3>\(Self.picture)<p>It was built in a year.</p></div>"
        let read = try TrimmedPage(inside: item + item)
        #expect(read.textHasMark && read.article.textContent.contains("It was built in a year."))
    }
}
