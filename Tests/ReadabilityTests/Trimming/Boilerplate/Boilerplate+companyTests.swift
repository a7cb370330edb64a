import Testing

@testable import Readability

@Suite("Readability / press releases")
struct BoilerplateCompanyTests {
    @Test(
        "marks at the end of a press release are recognised",
        arguments: [
            ("###", true), ("-30-", true), ("– ends –", true), ("(ende)", true), ("ends", false), ("30", false),
            ("the end", false),
        ])
    func end(text: String, expected: Bool) { #expect(Boilerplate.isEndOfRelease(Array(text.utf8)[...]) == expected) }
}
