import Testing

@testable import Readability

@Suite("Readability / lead picture")
struct LeadPictureTests {
    private let site = "http://host.example/dir/"

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
}
