import HTML
import Readability
import Testing

@Suite("Readability / overlays")
struct OverlaysTests {
    private func text(_ body: String) throws -> String? {
        Extraction().outcome(of: try Document(parsing: "<title>Tea</title><body>\(body)"), url: "https://h.example/")
            .article?.textContent
    }

    private static let paragraph =
        "<p>\(String(repeating: "A page is kept so that it can be read later, in peace, and perhaps twice. ", count: 6))</p>"
    private static let article = String(repeating: paragraph, count: 5)

    @Test(
        "a box that asks for consent or offers a newsletter is removed from the article",
        arguments: [
            "<div class='cookie-consent x'><p>Crumbs, we use cookies, and so on.</p></div>",
            "<div id=onetrust-banner-sdk><p>Crumbs, and so on.</p></div>",
            "<div role=dialog><p>Crumbs. We use cookies, and so do our partners.</p></div>",
            "<section aria-modal=true><p>Crumbs. Wir verwenden Cookies.</p></section>",
            "<div style='position: fixed; bottom: 0'><p>Crumbs. Nous utilisons des cookies.</p></div>",
            "<div role=dialog><p>Crumbs. NOUS\u{A0}UTILISONS\tDES COOKIES \u{2014} «\u{A0}À bientôt\u{A0}».</p></div>",
            "<div role=dialog><p>Crumbs 🍪. NOUS\u{A0}UTILISONS\tDES COOKIES \u{2014} «\u{A0}À bientôt\u{A0}».</p></div>",
            "<div class='Site_COOKIE-Consent'><p>Crumbs, and so on.</p></div>",
            "<div role=dialog aria-modal=true><p>Crumbs. Wir und unsere 148 Partner speichern Cookies.</p></div>",
            "<dialog open><p>Crumbs, sign up for our newsletter.</p></dialog>",
            "<div class=newsletter-popup><p>Crumbs, every week in your inbox.</p></div>",
        ])
    func removed(box: String) throws {
        let found = try #require(try text("<article>\(Self.paragraph)\(box)\(Self.article)</article>"))
        #expect(!found.contains("Crumbs"))
        #expect(found.contains("read later"))
    }

    @Test(
        "a notice for outdated browsers is never the article",
        arguments: [
            "<div id=update-browser-banner class='popup-banner hidden'>", "<div class=outdated-browser>",
            "<div class=browsehappy>", "<div id=old-browser>", "<div class='notice unsupported-browser'>",
            "<div class=c-browser-upgrade>",
        ])
    func browserNotices(box: String) throws {
        let notice = "\(box)<p>Crumbs, your browser is old, and you may download a newer one here, for free.</p></div>"
        #expect(!(try text("\(notice)<h1>Tea</h1>") ?? "").contains("Crumbs"))
        let found = try #require(try text("\(notice)<h1>Tea</h1><p>Tea is hot, and it is better so.</p>"))
        #expect(found.contains("Tea is hot") && !found.contains("Crumbs"))
    }

    @Test("a page that an open dialog hides with aria-hidden is still extracted")
    func shutOff() throws {
        let box = "<div id=cmp><div role=dialog aria-modal=true><p>Crumbs. We use cookies.</p></div></div>"
        let found = try #require(
            try text("\(box)<div aria-hidden=true><main><article>\(Self.article)</article></main></div>"))
        #expect(found.contains("read later") && !found.contains("Crumbs"))
    }

    @Test(
        "a box with other text, or with the article inside, stays",
        arguments: [
            "<div role=dialog><p>Crumbs, said the owner of the tea house, are what remains of the day.</p></div>",
            "<div style='position: fixed'><p>Crumbs, said the owner of the tea house, are what remains of the day.</p></div>",
        ])
    func kept(box: String) throws {
        #expect(try text("<article>\(Self.article)</article>")?.contains("read later") == true)
        let whole =
            "<div class=cookie-consent-active role=dialog><article><p>We use cookies.</p>\(Self.article)</article></div>"
        #expect(try text(whole)?.contains("read later") == true)
    }
}
