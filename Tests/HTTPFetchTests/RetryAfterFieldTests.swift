import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / retry after")
struct RetryAfterFieldTests {
    /// Fri, 01 Jan 2021 00:00:00 GMT.
    private let now = 1_609_459_200

    @Test(
        "a number is in seconds, up to 30 days",
        arguments: [
            ("0", 0), ("120", 120), ("2592000", 2_592_000), ("9999999", 2_592_000), ("99999999999999999999", 2_592_000),
        ])
    func number(value: String, seconds: Int) { #expect(RetryAfterField.seconds(value, now: now) == seconds) }

    @Test(
        "a date is relative to now, and a past date means no wait",
        arguments: [
            ("Fri, 01 Jan 2021 00:01:40 GMT", 100), ("Thu, 31 Dec 2020 00:00:00 GMT", 0),
            ("Fri, 01 Jan 2032 00:00:00 GMT", 2_592_000),
        ])
    func date(value: String, seconds: Int) { #expect(RetryAfterField.seconds(value, now: now) == seconds) }

    @Test("a missing or invalid value is nil", arguments: [nil, "", "soon", "-5"])
    func invalid(value: String?) { #expect(RetryAfterField.seconds(value, now: now) == nil) }
}
