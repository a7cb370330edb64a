import HTML
import Testing

@testable import Readability

@Suite("Readability / page words")
struct PageWordsTests {
    private let words: PageWords

    init() throws {
        let head = """
            <title>The island of cows and its ferry</title><meta property=og:site_name content="Island News">
            <meta name=description content="The island has one ferry, which is one more than it needs.">
            """
        words = PageWords(
            PageFacts(try Document(parsing: head), url: "https://h.example/", now: 1_700_000_000), byline: "Anna Miller"
        )
    }

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test(
        "a text with most of the title's words repeats the title",
        arguments: [
            ("the island of cows and its ferry", true), ("island of cows and its ferry!", true), ("ferry", false),
            ("the island of cows is where the old ferry of our town never goes", false),
        ])
    func title(text: String, expected: Bool) { #expect(words.isTitle(bytes(text)) == expected) }

    @Test("a text that equals the description is recognised")
    func description() {
        #expect(words.isDescription(bytes("the island has one ferry, which is one more than it needs.")))
        #expect(!words.isDescription(bytes("the island has many cows, and each has a bell and a name.")))
    }

    @Test(
        "the author's name is recognised with a word before it",
        arguments: [
            ("anna miller", true), ("by anna miller", true), ("anna", false), ("a photo by anna miller", false),
        ])
    func byline(text: String, expected: Bool) { #expect(words.isByline(bytes(text)) == expected) }

    @Test(
        "a text may begin with the whole name, the first name or a title and the last name",
        arguments: [
            ("anna miller lives here.", true), ("anna lives here.", true), ("ms. miller lives here.", true),
            ("ms. millers", false),
            ("annas", false), ("miller", false),
        ])
    func author(text: String, expected: Bool) { #expect(words.beginsWithAuthor(bytes(text)) == expected) }
}
