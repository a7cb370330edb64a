import Testing

@testable import Saving

@Suite("Saving / published time")
struct PublishedTimeTests {
    @Test("ISO 8601 in its usual spellings is a point in time", arguments: [
        ("2024-05-06", "2024-05-06T00:00:00Z"), ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
        ("2024-05-06T07:08:09.123+02:00", "2024-05-06T07:08:09+02:00"), (" 2024-02-29 07:08 ", "2024-02-29T07:08:00Z"),
        ("2024-05-06T07:08:09+0200", "2024-05-06T07:08:09+0200"),
    ])
    func read(text: String, time: String) { #expect(PublishedTime.parse(text) == time) }

    @Test("what is none stays the page's own words only", arguments: [
        "", "yesterday", "2023-02-29", "2024-13-01", "99999-01-01", "2024-05-06T25:00:00Z", "٢٠٢٤-٠٥-٠٦", "2024-05-06T07:08:09+99:00",
    ])
    func refused(text: String) { #expect(PublishedTime.parse(text) == nil) }
}
