import Testing

@testable import Dates

@Suite("Dates / Persian calendar")
struct PersianCalendarTests {
    @Test(
        "a day becomes the same day in the Gregorian calendar",
        arguments: [
            (1_403, 2, 17, "2024-05-06T00:00:00Z"), (1_403, 1, 1, "2024-03-20T00:00:00Z"),
            (1_357, 11, 22, "1979-02-11T00:00:00Z"),
        ])
    func converted(year: Int, month: Int, day: Int, expected: String) {
        #expect(PersianCalendar.date(year: year, month: month, day: day)?.text == expected)
    }

    @Test(
        "numbers outside the calendar are rejected",
        arguments: [(999, 1, 1), (2_024, 1, 1), (1_403, 13, 1), (1_403, 1, 32), (1_403, 0, 1)])
    func rejected(year: Int, month: Int, day: Int) {
        #expect(PersianCalendar.date(year: year, month: month, day: day) == nil)
    }
}
