import HTML
import Readability
import Testing

/// Numbers that look random and are the same in every run (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Readability / random pages")
struct RandomPagesTests {
    private static let pieces = [
        "<div>", "</div>", "<div class='article comment'>", "<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>",
        "<a href='#y' id=y>",
        "<table>", "<tr>", "<td>", "</td>", "</table>", "<tbody>", "<caption>c</caption>", "<ul>", "<li>", "</ul>",
        "<svg>", "</svg>",
        "<math>", "<mtext>", "</math>", "<style>", "</style>", "<script>", "</script>", "<template>", "</template>",
        "<br>", "<br><br>",
        "<h1>", "</h1>", "<h2 class=share>", "</h2>", "<form>", "</form>", "<input>", "<select>", "<option>",
        "</select>",
        "<img src=a.png>", "<img data-src=b.jpg srcset='c.jpg 1x,d 2x'>", "<noscript>", "</noscript>",
        "<iframe src=//youtube.com/x>",
        "</iframe>", "<section>", "</section>", "<pre>\n", "</pre>", "<font color=red>", "</font>", "<figure>",
        "<figcaption>", "</figure>",
        "&lt;", "&amp;nbsp;", "&#0;", "\0", "<!--", "-->", "<![CDATA[", "]]>", "<", ">", "\"", "'", "=", "日本、",
        "\u{FEFF}", "😀",
        "<textarea>", "</textarea>", "<base href='//b/'>", "<title>a | b: c</title>", "<body>", "<frameset>",
        "<html lang=x>",
        "<meta property='og:title' content='&amp;quot;'>", "<span itemprop=author>", "</span>",
        "Words, and more words, go on. ",
        "A sentence that is long enough to be scored, with commas, and an end. ",
        "<script type='application/ld+json'>{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"name\":\"\\u0000\"}</script>",
    ]

    @Test(
        "no page made of random pieces breaks the reader, and what is stored is always a fixed point", arguments: 0..<8)
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(state: seed)
        for _ in 0..<120 {
            let count = Int.random(in: 1...150, using: &numbers)
            let page = (0..<count).map { _ in Self.pieces.randomElement(using: &numbers) ?? "" }.joined()
            let reading = try PageReader().read(page, url: "https://h.example/a")
            guard let article = reading.article else { continue }
            try #require(try Sanitizer().sanitize(article.content) == article.content, "page: \(page)")
            try #require(!article.textContent.utf8.contains(0) && !article.content.utf8.contains(0), "page: \(page)")
            let document = try Document(parsing: article.content)
            _ = Markdown.render(document, document.root)
        }
    }
}
