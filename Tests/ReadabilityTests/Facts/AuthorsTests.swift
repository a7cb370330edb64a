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

    @Test("the author of a Twitter card is found by its label")
    func labelled() throws {
        let card = "<meta name=twitter:label1 content='LABEL'><meta name=twitter:data1 content='Jane Doe'>"
        #expect(try readFacts(card.replacing("LABEL", with: "Written by")).byline == "Jane Doe")
        #expect(try readFacts(card.replacing("LABEL", with: "Reading time")).byline == nil)
    }
}
