import Testing

@testable import Dates

@Suite("Dates / times of day")
struct ClockTimeTests {
    private func time(_ text: String, at start: Int = 0) -> ParsedDate.Time? {
        ClockTime.read(DateTokens(text), at: start, dayPeriod: { ["am": 0, "pm": 1, "a": 0, "p": 1][$0] })?.0
    }

    @Test(
        "times are read in the usual notations",
        arguments: [
            ("7:08", 7, 8, 0), ("07:08:09.123", 7, 8, 9), ("14h30", 14, 30, 0), ("14时30分", 14, 30, 0),
            ("7.08", 7, 8, 0), ("7:08 pm", 19, 8, 0),
            ("7 p.m.", 19, 0, 0), ("12:05 am", 0, 5, 0), ("12 pm", 12, 0, 0),
        ])
    func notations(text: String, hour: Int, minute: Int, second: Int) {
        #expect(time(text) == ParsedDate.Time(hour, minute, second))
    }

    @Test("a time without separators follows a T")
    func compact() {
        #expect(time("20240506T070809", at: 2) == ParsedDate.Time(7, 8, 9))
        #expect(time("070809") == nil)
    }

    @Test("other numbers are no times", arguments: ["7", "2024", "25:00", "7:60", "7:8", "x"])
    func none(text: String) { #expect(time(text) == nil) }

    @Test(
        "offsets are minutes ahead of UTC",
        arguments: [
            ("Z", 0), ("+02:00", 120), ("-0530", -330), ("GMT+2", 120), ("(EDT)", -240), ("\u{2212}1", -60),
            ("+9900", nil), ("x", nil), ("", nil),
        ] as [(String, Int?)])
    func offsets(text: String, expected: Int?) throws {
        let day = try #require(ParsedDate(year: 2_024, month: 5, day: 6))
        #expect(ClockTime.offset(DateTokens(text), at: 0, day) == expected)
    }
}
