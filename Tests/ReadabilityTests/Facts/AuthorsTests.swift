import Testing

@testable import Readability

@Suite("Readability / authors")
struct AuthorsTests {
    @Test("a full name takes precedence over an account name")
    func handles() throws {
        let page = "<h1>T</h1><meta name=author content=jdoe42><p class=byline>By Jane Doe</p>"
        #expect(try readFacts(page).byline == "Jane Doe")
        #expect(try readFacts("<meta name=author content=jdoe42>").byline == "jdoe42")
    }

    @Test("a name that contains a job title is taken whole from the metadata")
    func jobTitleAsSurname() throws {
        #expect(try readFacts("<meta name=\"author\" content=\"A. Writer\">").byline == "A. Writer")
    }

    @Test("a post that is tagged with comments is no comment")
    func taggedPost() throws {
        let page = """
            <div class="post hentry tag-comments"><h2>The ferry</h2><div><b>Por: </b><a href=/1>Ana Paz Rey</a>,
            <a href=/2>Luis Roa Gil</a></div></div>
            """
        #expect(try readFacts(page).byline == "Ana Paz Rey, Luis Roa Gil")
        #expect(try readFacts(page.replacing("post hentry tag-comments", with: "comments")).byline == nil)
    }

    @Test("the author of a Twitter card is found by its label")
    func labelled() throws {
        let card = "<meta name=twitter:label1 content='LABEL'><meta name=twitter:data1 content='Jane Doe'>"
        #expect(try readFacts(card.replacing("LABEL", with: "Written by")).byline == "Jane Doe")
        #expect(try readFacts(card.replacing("LABEL", with: "Reading time")).byline == nil)
    }
}
