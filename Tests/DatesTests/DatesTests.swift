import Testing

@testable import Dates

/// 2026-11-22.
private let now = 1_795_305_600

@Suite("Dates / parsing")
struct DatesTests {
    private func read(_ text: String, _ languages: String...) -> String? {
        Dates.read(text, languages: languages, now: now)?.text
    }

    @Test(
        "machine formats keep their time zone",
        arguments: [
            ("2024-05-06", "2024-05-06T00:00:00Z"), ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
            ("2024-05-06T07:08:09.123+02:00", "2024-05-06T07:08:09+02:00"),
            ("2024-05-06 07:08", "2024-05-06T07:08:00Z"),
            ("2024-05-06T07:08:09-0530", "2024-05-06T07:08:09-05:30"),
            ("2024/05/06 07:08:09 +0200", "2024-05-06T07:08:09+02:00"),
            ("20240506T070809Z", "2024-05-06T07:08:09Z"), ("20240506", "2024-05-06T00:00:00Z"),
            ("2024-05", "2024-05-01T00:00:00Z"),
            ("1714979289", "2024-05-06T07:08:09Z"), ("1714979289000", "2024-05-06T07:08:09Z"),
            ("20240506070809", "2024-05-06T07:08:09Z"),
            ("2024-05-06T07:08+02:00[Europe/Berlin]", "2024-05-06T07:08:00+02:00"),
            ("2024-01-06T07:08[Europe/Berlin]", "2024-01-06T07:08:00+01:00"),
            ("Mon, 06 May 2024 07:08:09 +0200", "2024-05-06T07:08:09+02:00"),
            ("Mon May 06 07:08:09 UTC 2024", "2024-05-06T07:08:09Z"),
            ("1851-09-18", "1851-09-18T00:00:00Z"),
        ])
    func machines(written: String, expected: String) { #expect(read(written) == expected) }

    @Test(
        "natural-language dates are parsed in the page's language",
        arguments: [
            ("May 6, 2024", "en", "2024-05-06T00:00:00Z"),
            ("Monday, May 6th, 2024 at 7:08 a.m. EDT", "en", "2024-05-06T07:08:00-04:00"),
            ("Jan. 6, 2024, 7:08 PM ET", "en-US", "2024-01-06T19:08:00-05:00"),
            ("Published 6 Sept 2024 12:05 am", "en-GB", "2024-09-06T00:05:00Z"),
            ("06/05/2024", "en-US", "2024-06-05T00:00:00Z"), ("06/05/2024", "en-GB", "2024-05-06T00:00:00Z"),
            ("25/05/2024", "en-US", "2024-05-25T00:00:00Z"),
            ("6. Mai 2024, 7.08 Uhr", "de", "2024-05-06T07:08:00Z"),
            ("06.05.2024 | 07:08 MESZ", "de", "2024-05-06T07:08:00+02:00"),
            ("Stand: 6. März 2024", "de-AT", "2024-03-06T00:00:00Z"), ("6.5.24", "de", "2024-05-06T00:00:00Z"),
            ("Publié le 6 févr. 2024 à 14h30", "fr", "2024-02-06T14:30:00Z"),
            ("1er août 2024", "fr", "2024-08-01T00:00:00Z"),
            ("6 de mayo de 2024", "es", "2024-05-06T00:00:00Z"),
            ("6 de Março de 2024 às 14:30", "pt-BR", "2024-03-06T14:30:00Z"),
            ("6 maggio 2024", "it", "2024-05-06T00:00:00Z"), ("6 mei 2024", "nl", "2024-05-06T00:00:00Z"),
            ("6 maja 2024", "pl", "2024-05-06T00:00:00Z"),
            ("6. května 2024", "cs", "2024-05-06T00:00:00Z"),
            ("6 мая 2024 г., 07:08 МСК", "ru", "2024-05-06T07:08:00Z"), ("6 травня 2024", "uk", "2024-05-06T00:00:00Z"),
            ("6. toukokuuta 2024", "fi", "2024-05-06T00:00:00Z"), ("2024. május 6.", "hu", "2024-05-06T00:00:00Z"),
            ("6 Mayıs 2024 Pazartesi", "tr", "2024-05-06T00:00:00Z"),
            ("6 Μαΐου 2024", "el", "2024-05-06T00:00:00Z"), ("2024年5月6日 14:30", "zh", "2024-05-06T14:30:00Z"),
            ("2024年5月6日（月）14時30分", "ja", "2024-05-06T14:30:00Z"),
            ("令和6年5月6日", "ja", "2024-05-06T00:00:00Z"), ("2024년 5월 6일 14:30", "ko", "2024-05-06T14:30:00Z"),
            ("2024.05.06 14:30", "ko", "2024-05-06T14:30:00Z"),
            ("٦ مايو ٢٠٢٤", "ar", "2024-05-06T00:00:00Z"), ("۱۷ اردیبهشت ۱۴۰۳", "fa", "2024-05-06T00:00:00Z"),
            ("6 במאי 2024", "he", "2024-05-06T00:00:00Z"),
            ("6 พฤษภาคม 2567", "th", "2024-05-06T00:00:00Z"), ("6 พ.ค. 2567", "th", "2024-05-06T00:00:00Z"),
            ("ngày 6 tháng 5 năm 2024", "vi", "2024-05-06T00:00:00Z"),
            ("6 मई 2024", "hi", "2024-05-06T00:00:00Z"), ("6 mei 2024", "id", "2024-05-06T00:00:00Z"),
            ("den 6 maj 2024 kl. 14:30", "sv", "2024-05-06T14:30:00Z"),
        ])
    func people(written: String, language: String, expected: String) { #expect(read(written, language) == expected) }

    @Test("English dates are parsed on pages in any language")
    func english() { #expect(read("6 May 2024", "de") == "2024-05-06T00:00:00Z") }

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

    @Test(
        "converting seconds to a date and back is lossless",
        arguments: [-40_000_000_000, -1, 0, 86_399, 951_782_400, 4_102_444_800])
    func calendar(seconds: Int) throws {
        guard let date = ParsedDate(seconds: seconds) else { return }
        #expect(date.seconds == seconds)
    }
}
