import HTML
import Testing

@testable import Readability

@Suite("Readability / picture filter")
struct PictureFilterTests {
    @Test(
        "tracking pixels, spacers and icons are removed",
        arguments: [
            "<img src=t.gif width=1 height=1>", "<img src=a.jpg style='width:1px;height:1px'>",
            "<img src=spacer.gif width=300 height=20>",
            "<img src=i.png width=32 height=32>", "<img class=avatar src=me.jpg width=96>",
            "<img src=icon-facebook.svg>",
            "<img class='social-icon' src=x.png>",
            "<noscript><img src=//t.example/tr?id=1 width=1 height=1></noscript>",
            "<img src=/authors/me.jpg>", "<img src=me.jpg alt='' width=64 height=64>",
            "<img src=now.gif width=88 height=31>",
            "<a href=/state><img src=/state.svg alt=passing></a>", "<img src='data:image/svg+xml;base64,PHN2Zy8+'>",
            "<img src=transparent.png>",
        ])
    func junk(html: String) throws { #expect(try RichPage("<p>\(sentence)\(html)</p>").pictures == []) }

    @Test(
        "pictures that resemble them stay",
        arguments: [
            "<img src=google-pixel.jpg>", "<img src=fashion-icon.jpg width=640>",
            "<img class=icon src=a.jpg width=800 height=600>",
            "<img src=a.jpg width=33 height=40>", "<img src=loading-dock.jpg>", "<img src=flag-of-france.png>",
        ])
    func lookalikes(html: String) throws { #expect(try RichPage("<p>\(sentence)\(html)</p>").pictures.count == 1) }

    @Test("pictures of emoji become the emoji")
    func emoji() throws {
        let page = try RichPage(
            "<p>\(sentence)Fine <img class=wp-smiley src=s.png alt='🙂'> and <img width=16 height=16 src=h.png alt='❤️'></p>"
        )
        #expect(page.text.contains("Fine 🙂 and ❤️"))
        #expect(page.pictures == [])
    }

    @Test(
        "the size of an image is read in pixels, from its attribute or its style",
        arguments: [
            ("<img width=32>", 32), ("<img width=32px>", 32), ("<img style='height: 9px; Width : 12px'>", 12),
            ("<img width=50%>", nil), ("<img>", nil),
        ] as [(String, Int?)])
    func size(html: String, expected: Int?) throws {
        let document = try Document(parsing: html)
        let image = try #require(document.first([.img], below: document.root))
        #expect(PictureFilter.size(.width, "width", of: image, in: document) == expected)
    }
}
