import Readability
import Testing

@testable import Saving

@Suite("Saving / checked metadata")
struct ReadingFactsTests {
    @Test(
        "only times that the database accepts are kept",
        arguments: [
            ("2024-05-06T07:08:09+02:00", "2024-05-06T07:08:09+02:00"), ("2024-05-06", "2024-05-06T00:00:00Z"),
            ("99999-01-01", nil), ("2023-02-29", nil),
            ("'; drop table links", nil), ("9999-01-01", nil), (String(repeating: "2", count: 100_000), nil),
            ("infinity", nil),
        ] as [(String, String?)])
    func time(text: String, expected: String?) { #expect(MetadataCheck.time(text) == expected) }

    @Test(
        "an address is an http(s) one",
        arguments: [
            "javascript:alert(1)", "data:audio/mpeg,x", "file:///etc/passwd", "", "/a.mp3", "https://a.example/\0",
            "https://a.example/" + String(repeating: "a", count: 9_000),
        ])
    func address(text: String) { #expect(MetadataCheck.address(text) == nil) }

    @Test("implausible parts of an enclosure are dropped")
    func enclosure() {
        let url = "https://a.example/a.mp3"
        #expect(
            MetadataCheck.enclosure(Enclosure(url: url, type: "Audio/MPEG", duration: 60))
                == Enclosure(url: url, type: "audio/mpeg", duration: 60))
        #expect(MetadataCheck.enclosure(Enclosure(url: url, type: "<script>\n", duration: -1)) == Enclosure(url: url))
        #expect(MetadataCheck.enclosure(Enclosure(url: "javascript:1", type: "audio/mpeg", duration: 60)) == nil)
        #expect(MetadataCheck.enclosure(Enclosure(url: url, duration: .max))?.duration == nil)
    }
}
