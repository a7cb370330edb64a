import Testing

@testable import Highlights

@Suite("Highlights / found passages")
struct FoundPassageTests {
    @Test("a passage is stored with what stands around it")
    func context() {
        let anchors = HighlightAnchors(text: "One two three four.")
        let passage = anchors.passage(at: 4..<13)
        #expect(passage.quote == "two three" && passage.prefix == "One " && passage.suffix == " four.")
    }

    @Test("context has 32 units at most, and no half of a character")
    func halves() {
        let side = String(repeating: "a", count: 31)
        let anchors = HighlightAnchors(text: "\(side)🙂\(side)quote\(side)🙂\(side)")
        let passage = anchors.passage(at: 64..<69)
        #expect(passage.quote == "quote" && passage.prefix == side && passage.suffix == side)
    }
}
