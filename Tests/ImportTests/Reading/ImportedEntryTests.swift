import JSON
import Testing

@testable import Import

@Suite("Import / entries")
struct ImportedEntryTests {
    @Test(
        "only addresses with http or https are imported",
        arguments: [
            "javascript:alert(1)", "about:blank", "chrome://settings", "ftp://a.org/", "mailto:a@b.org", "",
            "no address",
            "http://", "https:///path", "file:///etc/passwd", "data:text/html,x",
        ])
    func refused(url: String) { #expect(ImportedEntry.problem(of: url) != nil) }

    @Test(
        "addresses are imported as they are",
        arguments: ["http://a.org", "HTTPS://A.org/x?y#z", "https://b\u{FC}cher.example/"])
    func accepted(url: String) { #expect(ImportedEntry.problem(of: url) == nil) }

    @Test(
        "an export of Lectern brings back any address that can be saved, as it is",
        arguments: [
            "mailto:x@example.org", "javascript:alert(1)", " no address ",
            "https://a.org/" + String(repeating: "p", count: 9_000),
        ])
    func saved(url: String) {
        var entry = ImportedEntry(url: url)
        #expect(entry.reasonNotToSave != nil)
        entry.takesAnyAddress = true
        #expect(entry.reasonNotToSave == nil && entry.stagedURL == url && entry.staged["any_address"] == .bool(true))
    }

    @Test(
        "what cannot be saved is refused from an export of Lectern too",
        arguments: [nil, "", "a:\0", String(repeating: "\u{E9}", count: 65_537), "urn:sha256:0"])
    func unsaved(url: String?) {
        var entry = ImportedEntry(url: url)
        entry.takesAnyAddress = true
        #expect(entry.reasonNotToSave != nil && entry.stagedURL?.utf8.contains(0) != true)
    }

    @Test("what is known of an article in Markdown is its front matter")
    func frontMatter() {
        var entry = ImportedEntry(url: "https://a.org/", title: "[1] \"two\"\nlines")
        (entry.html, entry.isMarkdown, entry.lang, entry.siteName) = ("---\ntext", true, "ar", "The site")
        #expect(
            entry.staged["html"]?.string
                == "---\ntitle: \"[1] \"two\" lines\"\nsite: \"The site\"\nlang: \"ar\"\n---\n---\ntext")
    }

    @Test("texts are cut to what a link can hold, and a NUL becomes a blank")
    func cut() {
        var entry = ImportedEntry(url: "https://a.org/", title: String(repeating: "\u{E9}", count: 1 << 20))
        entry.tags = [String(repeating: "t", count: 1_000), " ", "a\0b"]
        entry.collections = [Array(repeating: "deep", count: 100)]
        let staged = entry.staged
        #expect(staged["title"]?.string?.unicodeScalars.count == 10_000)
        #expect(staged["tags"]?.array?.compactMap { $0.string?.count } == [100, 3])
        #expect(staged["collections"]?.array?.first?.array?.count == 20)
    }

    @Test("a text that is cut behind a blank ends without it")
    func cutAtBlank() {
        var entry = ImportedEntry(url: "https://a.org/")
        entry.tags = [String(repeating: "t", count: 99) + " and more"]
        #expect(entry.staged["tags"]?.array?.compactMap { $0.string?.count } == [99])
    }

    @Test("long names of tags and collections are cut before they are read for each entry")
    func longNames() {
        let name = String(repeating: "x", count: 100_000)
        var entry = ImportedEntry(url: "https://a.org/")
        (entry.tags, entry.collections) = ([name, "short"], [[name, "short"]])
        entry.cutNames()
        #expect(entry.tags.map(\.count) == [1_000, 5] && entry.collections.map { $0.map(\.count) } == [[1_000, 5]])
    }
}
