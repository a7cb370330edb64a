import Testing

@testable import Readability

@Suite("Readability / controls in headings")
struct HeadingAnchorsTests {
    @Test(
        "controls are removed from headings",
        arguments: [
            "Cats<a class=headerlink href=#cats>¶</a>", "<a href=#cats>#</a> Cats",
            "Cats<a href=#cats aria-label=Permalink><svg></svg></a>",
            "<span class=mw-headline id=cats>Cats</span><span class=mw-editsection>[<a href=/edit>edit source</a>]</span>",
            "Cats <button>Copy link</button>", "Cats <a class=anchor href=#cats>link</a>",
        ])
    func headings(inside: String) throws {
        let content = try RichPage("<h2>\(inside)</h2>\(paragraph)").content
        #expect(
            content.contains("Cats</h2>") || content.contains("Cats</span></h2>") || content.contains("Cats </h2>"),
            Comment(rawValue: content))
        #expect(!content.contains("¶") && !content.contains("edit source") && !content.contains("#</a>"))
    }

    @Test(
        "a heading in a box with its controls stays",
        arguments: [
            "<div class=mw-heading><h2>Cats</h2><span class=mw-editsection>[<a href=/edit>edit</a>]</span></div>",
            "<div><h2>Cats</h2><a class=anchor href=#cats><svg></svg></a></div>",
        ])
    func framedHeadings(html: String) throws {
        let content = try RichPage(html + paragraph).content
        #expect(content.contains("<h2>Cats</h2>") && !content.contains("edit"), Comment(rawValue: content))
    }

    @Test(
        "headings keep their text and their footnote marks",
        arguments: [
            "<a href=#cats>Cats</a>", "Cats<sup><a href=#n1>1</a></sup>", "<a class=anchor href=#cats>Cats</a>",
            "C<a href=/sharp>#</a> Cats",
        ])
    func headingWords(inside: String) throws {
        let content = try RichPage("<h2>\(inside)</h2>\(paragraph)").content
        #expect(content.contains("Cats") && content.contains("<a href"))
    }
}
