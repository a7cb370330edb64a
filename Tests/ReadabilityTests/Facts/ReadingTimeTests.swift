import Testing

@testable import Readability

@Suite("Readability / reading time")
struct ReadingTimeTests {
    @Test("reading takes one minute per 200 words or 500 ideographs, and at least one minute")
    func readingTime() {
        #expect(ReadingTime.minutes(of: "word") == 1)
        #expect(ReadingTime.minutes(of: String(repeating: "word ", count: 201)) == 2)
        #expect(ReadingTime.minutes(of: String(repeating: "灯", count: 1_000)) == 2)
        #expect(ReadingTime.minutes(of: String(repeating: "ก", count: 1_800)) == 3)
        #expect(ReadingTime.minutes(of: " \n") == nil)
    }
}
