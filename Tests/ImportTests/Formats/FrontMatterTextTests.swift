import Testing

@testable import Import

@Suite("Import / front matter")
struct FrontMatterTextTests {
    @Test("texts, lists and continued lines are read by their names")
    func values() throws {
        let matter = try #require(
            FrontMatterText(
                """
                ---
                Title: "Tea: \\"hot\\""
                summary: one
                  two
                tags:
                  - a
                  - 'b''s'
                  -
                authors: [Ann, Ben]
                empty:
                ---
                Body
                """))
        #expect(
            matter.values == [
                "title": .text("Tea: \"hot\""), "summary": .text("one two"), "tags": .list(["a", "b's"]),
                "authors": .list(["Ann", "Ben"]), "empty": .text(""),
            ])
        #expect(matter.body == "Body")
    }

    @Test("a name that stands twice has the last value, and lines before the first name are ignored")
    func repeated() throws {
        let matter = try #require(FrontMatterText("---\n- x\na: 1\n- y\na: 2\n---\n"))
        #expect(matter.values == ["a": .text("2")])
    }

    @Test(
        "lists and texts of a hundred thousand lines take no time that users notice", .timeLimit(.minutes(1)),
        arguments: ["- item\n", "  more\n"])
    func long(line: String) throws {
        let lines = 100_000
        let matter = try #require(FrontMatterText("---\na: first\n" + String(repeating: line, count: lines) + "---\n"))
        switch try #require(matter.values["a"]) {
        case .list(let items): #expect(items.count == lines)
        case .text(let text): #expect(text.utf8.count == 5 + 5 * lines)
        }
    }
}
