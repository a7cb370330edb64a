import Testing

@testable import Readability

@Suite("Readability / pictures")
struct PicturesTests {
    private let site = "http://host.example/dir/"
    private let placeholder = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

    @Test(
        "a lazily loaded picture gets its real source",
        arguments: [
            "<img src='STAND' data-src=a.jpg>", "<img data-original='a.jpg' class=lazyload>",
            "<img src=blank.gif data-lazy-src=a.jpg>",
            "<img src='STAND' data-srcset='s.jpg 300w, a.jpg 900w'>", "<img data-src=a.jpg style='display:none'>",
            "<figure data-image=a.jpg><figcaption>x</figcaption></figure>",
            "<img src='STAND' data-hero-photo=a.jpg data-thumb-src=t.jpg>",
            "<img src=placeholder-16x9.png srcset='a.jpg 700w'>",
            "<figure><div style='background-image: url(\"a.jpg\")'></div></figure>",
            "<figure><span><div class=js-load data-src=a.jpg></div><i>By Ann</i></span></figure>",
            "<img src='STAND'><noscript><img src=a.jpg></noscript>",
            "<noscript><img src=a.jpg></noscript><img src='STAND'>",
            "<span><img src='STAND'></span><noscript><p><img src=a.jpg></p></noscript>",
            "<div></div><noscript><img src=a.jpg></noscript>",
            "<img src=a-300x200.jpg data-src=a.jpg><noscript><img src=a.jpg></noscript>",
        ])
    func lazy(html: String) throws {
        #expect(try RichPage(html.replacing("STAND", with: placeholder)).pictures == [site + "a.jpg"])
    }

    @Test("a picture keeps its alternative text and size, and no attributes that select another source")
    func attributes() throws {
        let page = try RichPage(
            "<picture><source srcset=b.webp><img src=a.jpg alt=Cat width=640 height=480 sizes=100vw loading=lazy data-x=y></picture>"
        )
        #expect(
            page.content.contains(##"<img src="http://host.example/dir/b.webp" alt="Cat" width="640" height="480">"##))
        #expect(!page.content.contains("<picture") && !page.content.contains("<source"))
    }

    @Test("a picture made from a box has the alternative text of the box")
    func alternativeOfBox() throws {
        let page = try RichPage("<figure><div data-src=a.jpg data-alt='A cat'></div></figure>")
        #expect(page.content.contains(#"src="http://host.example/dir/a.jpg" alt="A cat""#))
    }

    @Test("every slide of a slide show is kept once")
    func slides() throws {
        let page = try RichPage(
            """
            <div class='gallery widget'><div class=slide aria-hidden=true><img src=3.jpg></div><div class=slide><img src=1.jpg></div>
            <div class=slide style='display:none'><img data-src=2.jpg></div><div class=slide hidden><img src=3.jpg></div></div>
            """)
        #expect(Set(page.pictures) == [site + "1.jpg", site + "2.jpg", site + "3.jpg"])
        #expect(page.pictures.count == 3)
    }

    @Test("pictures in boxes without text are kept, unless the boxes link to other pages")
    func boxes() throws {
        #expect(try RichPage("<div><img src=1.jpg><img src=2.jpg><img src=3.jpg></div>").pictures.count == 3)
        #expect(try RichPage("<div class=related><img src=1.jpg><img src=2.jpg></div>").pictures == [])
        #expect(
            try RichPage("<div><a href=/x><img src=1.jpg>One</a><a href=/y><img src=2.jpg>Two</a></div>").pictures == []
        )
        #expect(
            try RichPage("<div><a href=1-big.jpg><img src=1.jpg></a><a href=2-big.jpg><img src=2.jpg></a></div>")
                .pictures.count == 2)
    }

    @Test("many copies and boxes are processed in linear time")
    func crowds() throws {
        let crowd =
            String(repeating: "<noscript>", count: 40)
            + String(repeating: "<div><img src=a.jpg><noscript><img src=a.jpg></noscript></div>", count: 4_000)
        #expect(try RichPage(crowd).pictures.count <= 1)
    }
}
