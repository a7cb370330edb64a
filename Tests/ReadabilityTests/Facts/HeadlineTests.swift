import Testing

@testable import Readability

@Suite("Readability / headline")
struct HeadlineTests {
    @Test(
        "the site's name is removed from the title",
        arguments: [
            "<title>The harbour freezes over | Tidewater</title>",
            "<title>Tidewater - The harbour freezes over</title>", "<title>Tidewater: The harbour freezes over</title>",
            "<title>The harbour freezes over — News — The Tidewater</title><meta property=og:title content='The harbour freezes over'>",
            "<title>The harbour freezes over :: Some Other Name</title><h1>The harbour freezes over</h1>",
            "<title>The harbour freezes over | Morning Paper</title><meta property=og:site_name content='Morning Paper'>",
            "<meta property=og:title content='The harbour freezes over - tidewater.example'>",
            "<title>Tidewater</title><h1>Tidewater</h1><meta property=og:title content='The harbour freezes over'>",
            "<h1>Tidewater</h1><h1>The harbour freezes over</h1><title>The harbour freezes over | Tidewater</title>",
            "<h1>The harbour freezes over <a href=#x>¶</a></h1><title>The harbour freezes over</title>",
        ])
    func site(page: String) throws { #expect(try readFacts(page).title == "The harbour freezes over") }

    @Test("separators that belong to the headline stay")
    func signs() throws {
        #expect(
            try readFacts("<title>Ice - and what comes after</title><h1>Ice - and what comes after</h1>").title
                == "Ice - and what comes after")
        #expect(
            try readFacts("<title>Ice: a year at the harbour | Tidewater</title>").title == "Ice: a year at the harbour"
        )
    }

    @Test("a visible heading takes precedence over a shortened metadata title on the same subject")
    func visible() throws {
        let page = """
            <title>Harbour freezes over</title><meta property=og:title content="Harbour freezes over"><h1>The old harbour freezes over for the first time</h1>
            """
        #expect(try readFacts(page).title == "The old harbour freezes over for the first time")
        #expect(
            try readFacts(
                "<title>The harbour freezes over</title><meta property=og:title content='The harbour freezes over'><h1>Sport</h1>"
            ).title == "The harbour freezes over")
    }

    @Test(
        "any number of separators is handled, also without other text",
        arguments: [
            "A | | B | Tidewater", " | | | ", "|", "::", ": : :", "a: : b", "a :: :: b", "_|_|_",
            "| Tidewater | Tidewater |", "- - - a - - -", "灯_|_灯", "a|", "|a", ":",
        ])
    func signsAlone(title: String) throws {
        let page = "<title>\(title)</title><meta property=og:title content='\(title)'><h1>\(title)</h1>"
        #expect((try readFacts(page).title ?? "").utf8.count <= title.utf8.count)
    }

    @Test("a site's name beside the headline becomes the site name")
    func named() throws {
        #expect(
            try readFacts("<title>The harbour freezes over | Morning Paper</title><h1>The harbour freezes over</h1>")
                .siteName == "Morning Paper")
    }
}
