import Testing

@testable import Readability

@Suite("Readability / shingles")
struct ShinglesTests {
    private func shingles(_ text: String) -> Shingles { Shingles(of: text) }

    private let english =
        String(repeating: "Nobody has ever counted the steps. ", count: 3)
        + (1...60).map { "Step \($0) is \($0 * 7) cm high, " }.joined()
    private let chinese = (1...60).map { "第\($0)级台阶高\($0 * 7)厘米，没有人数过它们。" }.joined()

    @Test(
        "a text contains itself, whatever its spaces, punctuation and capitals",
        arguments: [
            (" ", "\u{A0}\n  "), (",", " —"), ("Step", "STEP"), (" is ", "<is>"),
        ])
    func same(from: String, to: String) {
        #expect(shingles(english).share(in: shingles(english.replacing(from, with: to))) == 1)
    }

    @Test("a text contains about half of itself in its half, and nothing of another text")
    func part() {
        for text in [english, chinese] {
            let half = shingles(String(text.prefix(text.count / 2)))
            #expect(half.share(in: shingles(text)) == 1)
            #expect((0.35...0.65).contains(shingles(text).share(in: half)))
        }
        #expect(shingles(english).share(in: shingles(chinese)) == 0)
    }

    @Test("about one run in eight is sampled, and none of a text shorter than a run")
    func count() {
        let all = english.utf8.count { $0 > 0x40 || (0x30...0x39).contains($0) } - Shingles.Reader.length + 1
        #expect((all / 13...all / 5).contains(shingles(english).count))
        #expect(shingles("Too short to tell.").count == 0 && shingles("").share(in: shingles(english)) == 0)
    }
}
