import Testing

@testable import Saving

@Suite("Saving / reading a page")
struct ReadPageTests {
    @Test("a page of the largest size the settings allow is read, and one byte more is over budget")
    func size() throws {
        let html = "<!doctype html><title>Long</title>" + String(repeating: "<p>A sentence, and one more.</p>", count: 100)
        let page = Page(url: "https://example.org/", contentType: "text/html", html: html)
        #expect(try ReadPage(sourceBytes: html.utf8.count, memory: ReadingMemory())(page).title == "Long")
        let beyond = try ReadPage(sourceBytes: html.utf8.count - 1, memory: ReadingMemory())(page)
        #expect(beyond.title == nil && beyond.missing == .overBudget)
    }
}
