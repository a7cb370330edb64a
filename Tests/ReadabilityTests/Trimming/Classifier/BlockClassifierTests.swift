import Testing

@testable import Readability

@Suite("Readability / block classifier")
struct BlockClassifierTests {
    @Test(
        "boxes whose class names other content are removed",
        arguments: [
            "<div class='sdc-article-related-stories'><h3>MARK</h3><ul><li><a href=/a>Cows on a ferry in a storm</a></li></ul></div>",
            "<div class=newsletterSignup><p>MARK every week</p></div>", "<ul class=social-list><li>MARK</li></ul>",
            "<div id=adslot>MARK</div>", "<div class=w-form-done><div>Thank you for MARK!</div></div>",
        ])
    func boxes(html: String) throws { #expect(try !TrimmedPage(inside: html).textHasMark) }

    @Test(
        "boxes with content stay even if their class looks similar",
        arguments: [
            "<div class=gradient><p>MARK and a list of harbours</p></div>",
            "<div class=headache><p>MARK and a headache</p></div>",
            "<div class=related><p>MARK is an island of its own, with a harbour, forty houses, a school that has been shut, and a light that still burns every night.</p></div>",
        ])
    func otherBoxes(html: String) throws { #expect(try TrimmedPage(inside: html).textHasMark) }

    @Test(
        "lines that lead to other articles are removed",
        arguments: [
            "<p>Read more: MARK</p>", "<p><strong>SEE ALSO</strong>: <a href=/x>MARK of the sea</a></p>",
            "<p><a href=/x>How MARK found the island at last</a></p>", "<p>Lesen Sie auch: MARK</p>",
            "<p>Baca juga: MARK</p>", "<p>(Visited 215 times, 55 visits today, MARK)</p>",
            "<ul><li><a href=/a>MARK and the ferry of old</a></li><li><a href=/b>Another one of these stories</a></li></ul>",
        ])
    func lines(html: String) throws { #expect(try !TrimmedPage(inside: html).textHasMark) }

    @Test(
        "lines of the article that look similar stay",
        arguments: [
            "<p>Read more books than MARK did, and you will know.</p>",
            "<p>Follow the road to MARK, then turn left at the church.</p>",
            "<h2><a href=/m>MARK, the second island</a></h2>", "<h2><a href='#m'>MARK</a></h2>",
            "<p><a href=http://x.example/>http://x.example/MARK</a></p>",
            "<h2>Sources</h2><ul><li><a href=/a>MARK and the ferry of old</a></li><li><a href=/b>Another one of these stories</a></li></ul>",
            "<ul><li>MARK with milk</li><li>Bread</li></ul>",
            "<blockquote><a href=/x>MARK said this to all of us</a></blockquote>",
        ])
    func otherLines(html: String) throws { #expect(try TrimmedPage(inside: html).textHasMark) }
}
