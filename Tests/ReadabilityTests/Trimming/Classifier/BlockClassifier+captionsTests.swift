import Testing

@testable import Readability

@Suite("Readability / captions")
struct BlockClassifierCaptionsTests {
    private static let picture = "<img src=p.jpg width=600 height=400>"

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

    @Test("items with a picture each keep their headings and their text")
    func items() throws {
        let item = "<div class=item><h3>3. The MARK</h3>\(Self.picture)<p>It was built in a year.</p></div>"
        let read = try TrimmedPage(inside: item + item)
        #expect(read.textHasMark && read.article.textContent.contains("It was built in a year."))
    }
}
