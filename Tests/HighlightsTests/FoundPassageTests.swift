import Testing

@testable import Highlights

@Suite("Highlights / found passages")
struct FoundPassageTests {
    @Test("a passage is stored with what stands around it")
    func context() {
        let relocation = HighlightRelocation(text: "One two three four.")
        let passage = relocation.passage(at: 4..<13)
        #expect(passage.quote == "two three" && passage.prefix == "One " && passage.suffix == " four.")
    }

    @Test("context has 32 units at most, and no half of a character")
    func halves() {
        let side = String(repeating: "a", count: 31)
        let relocation = HighlightRelocation(text: "\(side)🙂\(side)quote\(side)🙂\(side)")
        let passage = relocation.passage(at: 64..<69)
        #expect(passage.quote == "quote" && passage.prefix == side && passage.suffix == side)
    }
}
