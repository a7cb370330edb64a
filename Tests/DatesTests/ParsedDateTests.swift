import Testing

@testable import Dates

@Suite("Dates / calendar arithmetic")
struct ParsedDateTests {
    @Test(
        "converting seconds to a date and back is lossless",
        arguments: [-40_000_000_000, -1, 0, 86_399, 951_782_400, 4_102_444_800])
    func calendar(seconds: Int) throws {
        guard let date = ParsedDate(seconds: seconds) else { return }
        #expect(date.seconds == seconds)
    }

    @Test(
        "days that do not exist and years without four digits are rejected",
        arguments: [
            (2_023, 2, 29), (1_900, 2, 29), (2_024, 4, 31), (2_024, 13, 1), (2_024, 0, 1), (2_024, 1, 0), (999, 1, 1),
            (10_000, 1, 1),
        ])
    func impossible(year: Int, month: Int, day: Int) { #expect(ParsedDate(year: year, month: month, day: day) == nil) }

    @Test("a date is written in ISO 8601 with its own offset")
    func text() throws {
        let time = try #require(ParsedDate.Time(7, 8, 60, offset: -330))
        #expect(ParsedDate(year: 2_024, month: 2, day: 29, time: time)?.text == "2024-02-29T07:08:59-05:30")
        #expect(ParsedDate(year: 2_024, month: 2, day: 29)?.text == "2024-02-29T00:00:00Z")
        #expect(ParsedDate(seconds: -1)?.text == "1969-12-31T23:59:59Z")
    }
}
