import Testing

@testable import Highlights

@Suite("Highlights / search")
struct ExactPassagesTests {
    private func find(_ words: (String, near: Int)..., in text: String) -> [ExactPassages.Found?] {
        ExactPassages(Array(text.utf16)).find(words.map { .init(units: Array($0.0.utf16)[...], expected: $0.near) })
    }

    @Test("each pattern gets its nearest position, and whether it is unique")
    func nearest() {
        let found = find(
            ("cat", near: 15), ("cat", near: 0), ("dog", near: 0), ("cow", near: 0), in: "a cat, a dog, a cat")
        #expect(
            found == [
                .init(position: 16, isUnique: false), .init(position: 2, isUnique: false),
                .init(position: 9, isUnique: true), nil,
            ])
    }

    @Test("passages that occur everywhere take a bounded time and memory together")
    func bounded() {
        let text = String(repeating: "ab", count: HighlightRelocation.maxUnits / 2)
        let patterns = (0..<5_000).map { ExactPassages.Pattern(units: Array("ab".utf16)[...], expected: $0) }
        let others = (1..<200).map { length in
            ExactPassages.Pattern(units: Array(String(repeating: "ab", count: length).utf16)[...], expected: 0)
        }
        let found = ExactPassages(Array(text.utf16)).find(patterns + others)
        #expect(found.first??.position == 0)
    }

    @Test("empty and too long patterns are not found")
    func none() { #expect(find(("", near: 0), ("abc", near: 0), in: "ab") == [nil, nil]) }

    @Test("patterns of all lengths are found at the ends of the text")
    func ends() {
        let text = "0123456789abcdef!"
        for length in 1...17 {
            #expect(
                find((String(text.suffix(length)), near: 0), in: text) == [.init(position: 17 - length, isUnique: true)]
            )
        }
    }
}
