import Testing

@testable import Realtime

@Suite("Realtime / timestamps")
struct TimestampTests {
    @Test(
        "all usual forms of ISO 8601 are read",
        arguments: [
            ("1970-01-01", 0), ("1970-01-01T00:00:01Z", 1_000_000), ("1970-01-01 00:01", 60_000_000),
            ("2024-02-29T12:30:15.000001+00:00", 1_709_209_815_000_001),
            ("2024-02-29T12:30:15.5Z", 1_709_209_815_500_000),
            ("1970-01-01T02:00:00+02", 0), ("1970-01-01T02:30:00+0230", 0), ("1969-12-31T22:00:00-02:00", 0),
            ("1969-12-31", -86_400_000_000), ("infinity", Int.max), ("-infinity", Int.min),
        ])
    func forms(text: String, microseconds: Int) { #expect(Timestamp.microseconds(text) == microseconds) }

    @Test(
        "other texts are not timestamps",
        arguments: ["", "now", "2024", "2024-13-01", "2024-01-01T25:00", "999999-01-01", "2024-01-01x"])
    func others(text: String) { #expect(Timestamp.microseconds(text) == nil) }

    @Test(
        "the time of a commit is written with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_709_209_815_000_001, "2024-02-29T12:30:15.000Z"),
            (1_709_251_199_999_999, "2024-02-29T23:59:59.999Z"), (1_735_689_600_000_000, "2025-01-01T00:00:00.000Z"),
        ])
    func commits(microseconds: Int, text: String) {
        #expect(CommitTimestamp.text(microseconds: microseconds) == text)
    }
}
