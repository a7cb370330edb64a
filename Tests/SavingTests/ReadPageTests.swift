import Readability
import Testing

@testable import Saving

@Suite("Saving / read page", .timeLimit(.minutes(5)))
struct ReadPageTests {
    @Test("a page of the largest size the settings allow is read, and of one byte more the text is kept")
    func size() throws {
        let html =
            "<!doctype html><title>Long</title>" + String(repeating: "<p>A sentence, and one more.</p>", count: 100)
        let page = Page(url: "https://example.org/", contentType: "text/html", html: html)
        var limits = UnrulyReader.limits()
        limits.sourceBytes = html.utf8.count
        let pool = UnrulyReader.processes(limits: limits)
        let reading = try ReadPage(pool)(page)
        #expect(reading.title == "Long" && reading.missing == nil)
        limits.sourceBytes -= 1
        let less = UnrulyReader.processes(limits: limits)
        let beyond = try ReadPage(less)(page)
        #expect(beyond.title == "Long" && beyond.missing == .overBudget)
        #expect(beyond.article?.content.hasPrefix("<p>A sentence, and one more.</p>\n<p>A") == true)
        pool.stop()
        less.stop()
    }

    @Test(
        "no line is longer than the database accepts, even a single character with many marks", arguments: ["a", "a "])
    func oneCharacter(beginning: String) throws {
        let title = beginning + String(repeating: "\u{301}", count: 100_000)
        var limits = UnrulyReader.limits()
        // Raised, since this test is not about it.
        limits.seconds = 60
        let processes = UnrulyReader.processes(limits: limits)
        let reading = try ReadPage(processes)(
            Page(
                url: "https://example.org/", contentType: "text/html",
                html: "<title>\(title)</title><meta name=author content='\(title)'><p>Words."))
        #expect(reading.title.map { (1...1_000).contains($0.unicodeScalars.count) } == true)
        #expect((reading.byline ?? "").unicodeScalars.count <= 1_000)
        processes.stop()
    }

    @Test("files that are not HTML need no process")
    func notHTML() throws {
        let none = UnrulyReader.processes(arguments: ["stillborn"])
        let file = Page(url: "https://example.org/a/file.pdf?x=1", contentType: "application/pdf")
        let reading = try ReadPage(none)(file)
        #expect(reading == ExtractedPage(page: file, title: "file.pdf", kind: .pdf, missing: .notHTML))
        let sound = try ReadPage(none)(
            Page(url: "https://example.org/a/talk.mp3", contentType: "audio/mpeg", html: nil))
        #expect(
            sound.kind == .audio
                && sound.enclosure == Enclosure(url: "https://example.org/a/talk.mp3", type: "audio/mpeg"))
        none.stop()
    }

    @Test("without a reader process the server has failed, not the page")
    func unavailable() {
        let none = UnrulyReader.processes(arguments: ["stillborn"])
        let why = #expect(throws: SaveError.self) {
            try ReadPage(none)(Page(url: "https://example.org/", contentType: "text/html", html: "x"))
        }
        guard case .outage(let failure) = why else {
            Issue.record("\(why as Any)")
            return
        }
        #expect(failure.reason == "reader" && failure.message.contains("exited with status 7"))
        none.stop()
    }
}
