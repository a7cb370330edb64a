import Testing

@testable import Dates

/// 2026-11-22.
let november2026 = 1_795_305_600

@Suite("Dates / reading")
struct DatesTests {
    private func read(_ text: String, _ languages: String...) -> String? {
        Dates.read(text, languages: languages, now: november2026)?.text
    }

    @Test(
        "texts without a date and impossible dates are rejected",
        arguments: [
            "", "yesterday", "99999-01-01", "0999-01-01", "2024-13-01", "2023-02-29", "2024-05-32", "12:30", "May",
            "2024", "31/31/2024",
            "May 2024", "2026-11-25", "99999999999999999999999999", "+1 555 0100", "3 hours ago", "Version 1.2.3",
            "000000000000000000",
        ])
    func none(written: String) { #expect(read(written, "en") == nil) }

    @Test("a date of tomorrow is accepted")
    func future() { #expect(read("2026-11-23") == "2026-11-23T00:00:00Z") }

    @Test(
        "an unknown language tag does not break parsing",
        arguments: ["xx", "x-\u{0}", "tlh", String(repeating: "a", count: 10_000), "en@calendar=chinese"])
    func unknown(language: String) { #expect(read("6 May 2024", language) == "2024-05-06T00:00:00Z") }
}
