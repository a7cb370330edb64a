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
            "<img src='STAND'><noscript><img src=a.jpg></noscript>",
            "<noscript><img src=a.jpg></noscript><img src='STAND'>",
            "<span><img src='STAND'></span><noscript><p><img src=a.jpg></p></noscript>",
            "<div></div><noscript><img src=a.jpg></noscript>",
            "<img src=a-300x200.jpg data-src=a.jpg><noscript><img src=a.jpg></noscript>",
        ])
    func lazy(html: String) throws {
        #expect(try RichPage(html.replacing("STAND", with: placeholder)).pictures == [site + "a.jpg"])
    }

    @Test(
        "the best of several sizes is chosen",
        arguments: [
            ("<img src=s.jpg srcset='s.jpg 300w, m.jpg 1200w, l.jpg 2400w'>", "m.jpg"),
            ("<img src=s.jpg srcset='s.jpg 300w, l.jpg 2400w, x.jpg 4000w'>", "l.jpg"),
            ("<img src=s.jpg srcset='s.jpg 300w, m.jpg 1600w, l.jpg 2000w'>", "l.jpg"),
            ("<img src=s.jpg srcset='s.jpg, m.jpg 2x'>", "m.jpg"), ("<img src=a.jpg srcset='t.jpg 120w'>", "a.jpg"),
            (
                "<picture><source type=image/avif srcset=a.avif><source srcset=a.webp><img src=a.jpg></picture>",
                "a.webp"
            ),
            ("<picture><source type=image/avif srcset='a.avif 800w'><img src='x.jpg'></picture>", "a.avif"),
            ("<picture><source data-srcset='a.webp 640w, b.webp 1280w'><img></picture>", "b.webp"),
            ("<img src=a.svg>", "a.svg"), ("<img src=image.jpg>", "image.jpg"),
            ("<img data-src='a_{width}x.jpg'>", "a_1200x.jpg"),
        ])
    func sizes(html: String, taken: String) throws { #expect(try RichPage(html).pictures == [site + taken]) }

    @Test("a picture keeps its alternative text and size, and no attributes that select another source")
    func attributes() throws {
        let page = try RichPage(
            "<picture><source srcset=b.webp><img src=a.jpg alt=Cat width=640 height=480 sizes=100vw loading=lazy data-x=y></picture>"
        )
        #expect(
            page.content.contains(##"<img src="http://host.example/dir/b.webp" alt="Cat" width="640" height="480">"##))
        #expect(!page.content.contains("<picture") && !page.content.contains("<source"))
    }

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

    @Test("copies of a picture are merged")
    func duplicates() throws {
        let page = try RichPage(
            """
            <figure class=desktop><img src=cat-1024x768.jpg><figcaption>A cat</figcaption></figure>
            <figure class=mobile><img src='cat-300x200.jpg?w=300'><figcaption>A cat</figcaption></figure>
            <figure><img src=/cdn/w_600/dog.jpg></figure><figure><img src=/cdn/w_1200,h_800/dog.jpg alt=Dog></figure>
            <figure><img src='show?id=1&w=100'></figure><figure><img src='show?id=2&w=100'></figure>
            """)
        #expect(
            page.pictures == [
                site + "cat-1024x768.jpg", "http://host.example/cdn/w_600/dog.jpg", site + "show?id=1&amp;w=100",
                site + "show?id=2&amp;w=100",
            ])
        #expect(page.content.contains("alt=\"Dog\""))
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

    @Test("the lead picture is kept once")
    func lead() throws {
        let above =
            "<div class=top><h1>A headline of some words</h1><figure><img src=lead.jpg alt=L><figcaption>Lead</figcaption></figure></div>"
        let lost = try RichPage("", above: above)
        #expect(lost.pictures == [site + "lead.jpg"])
        #expect(lost.content.contains("<figcaption>Lead</figcaption>") && !lost.text.contains("Lead"))
        let there = try RichPage("<figure><img src=lead-800x600.jpg></figure>", above: above)
        #expect(there.pictures == [site + "lead-800x600.jpg"])
        let logo = try RichPage("", above: "<a href=/><img src=brand.png></a><h1>A headline of some words</h1>")
        #expect(logo.pictures == [])
    }

    @Test("a small picture beside the headline is not the lead picture")
    func noLead() throws {
        let head = "<main><h1>A headline of some words</h1>"
        #expect(try RichPage("", above: head + "<img src=me.png width=48 height=48 alt=Me></main>").pictures == [])
        #expect(
            try RichPage("", above: "<main><img src=top.jpg width=900><h1>A headline of some words</h1></main>")
                .pictures == [site + "top.jpg"])
    }

    @Test("the preview picture above the headline is the lead picture")
    func preview() throws {
        let head = "<meta property=og:image content='http://host.example/dir/hero-1200x630.jpg'>"
        let above = "<div><img src=other.jpg></div><div><img src=hero.jpg></div><h1>A headline of some words</h1>"
        #expect(try RichPage("", head: head, above: above).pictures == [site + "hero.jpg"])
        #expect(try RichPage("", above: above).pictures == [])
    }

    @Test("many copies and boxes are processed in linear time")
    func crowds() throws {
        let crowd =
            String(repeating: "<noscript>", count: 40)
            + String(repeating: "<div><img src=a.jpg><noscript><img src=a.jpg></noscript></div>", count: 4_000)
        #expect(try RichPage(crowd).pictures.count <= 1)
    }
}
