import HTML
import Testing

@testable import Readability

@Suite("Readability / title")
struct PageTitleTests {
    @Test(
        "the site's name is removed unless too little would remain",
        arguments: [
            ("A long enough story about cats | The Daily Site", "A long enough story about cats"),
            ("A long enough story about cats – The Daily Site", "A long enough story about cats"),
            ("Site | News | A story about all the cats", "Site | News | A story about all the cats"),
            ("Site » Cats and what they eat", "Cats and what they eat"),
            ("Cats | Site", "Cats | Site"), ("Site: A story about all the cats", "A story about all the cats"),
            ("One two three four five six: a story of cats", "One two three four five six: a story of cats"),
            ("A well-known story about on/off switches", "A well-known story about on/off switches"),
            ("  A   story\n about cats and dogs  ", "A story about cats and dogs"),
            ("&nbsp;A story about cats and dogs&nbsp;", "A story about cats and dogs"),
            ("one two three four - > five", "one two three four"),
        ])
    func cut(written: String, expected: String) throws {
        #expect(PageTitle.of(try Document(parsing: "<title>\(written)</title>")) == expected)
    }

    @Test("a heading that equals the title keeps it whole")
    func heading() throws {
        let page = "<title>Cats: a story about them all</title><h1>Cats: a story about them all</h1>"
        #expect(PageTitle.of(try Document(parsing: page)) == "Cats: a story about them all")
    }

    @Test("a very short title is replaced by the page's only headline")
    func headline() throws {
        let page = "<title>Site</title><h1>A story about all the cats</h1>"
        #expect(PageTitle.of(try Document(parsing: page)) == "A story about all the cats")
    }
}
