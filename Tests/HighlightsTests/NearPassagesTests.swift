import Testing

@testable import Highlights

@Suite("Highlights / approximate search")
struct NearPassagesTests {
    private func place(of quote: String, in text: String) -> Range<Int>? {
        var near = NearPassages(ExactPassages(Array(text.utf16)))
        return near.places(of: [Passage(Highlight(id: "1", quote: quote), former: [])])[0]
    }

    @Test(
        "a passage with few changes is found in full",
        arguments: [
            "What was written here was long, and it was read to its end.",
            "What was written there was very long, and it was read to its end.",
        ])
    func found(changed: String) {
        let quote = "What was written there was long, and it was read to its end."
        #expect(place(of: quote, in: "In front. " + changed + " Behind.") == 10..<10 + changed.utf16.count)
    }

    @Test("a short passage and a different text are not found")
    func lost() {
        #expect(place(of: "a short passage", in: "here is a short passage") == nil)
        #expect(
            place(of: String(repeating: "abcdefgh ", count: 5), in: String(repeating: "stuvwxyz ", count: 5)) == nil)
    }
}
