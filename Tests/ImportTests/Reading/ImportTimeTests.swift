import Testing

@testable import Import

@Suite("Import / times")
struct ImportTimeTests {
    private static let now = 1_793_491_200

    @Test(
        "numbers of seconds, milliseconds and microseconds, and texts, are times",
        arguments: [
            "1714979289", "1714979289000", "1714979289000000", "2024-05-06T07:08:09Z", "2024-05-06T09:08:09+02:00",
            "2024-05-06 07:08:09", "2024-05-06T07:08:09.000+0000", " 2024-05-06 07:08:09 UTC ",
            "Mon, 06 May 2024 07:08:09 GMT",
        ])
    func read(text: String) { #expect(ImportTime.read(text, now: Self.now) == 1_714_979_289_000_000) }

    @Test(
        "what is no time, or none of the past, is unknown",
        arguments: [
            "", "0", "-1", "never", "99999-01-01", "2999-01-01T00:00:00Z", "99999999999999999999", "nan", "1e400",
            "0001-01-01T00:00:00Z", "2024-13-01T00:00:00Z", "1970-01-01T00:00:00Z",
        ])
    func unknown(text: String) { #expect(ImportTime.read(text, now: Self.now) == nil) }
}
