import Testing

@testable import Dates

@Suite("Dates / vocabulary of languages")
struct DateWordsTests {
    @Test(
        "months are known by name, abbreviation and unambiguous beginning",
        arguments: [
            ("de", "märz", 3), ("de", "dez", 12), ("en", "sept", 9), ("fr", "févr", 2), ("he", "במאי", 5),
            ("ru", "мая", 5), ("en", "ju", nil), ("en", "monday", nil),
        ] as [(String, String, Int?)])
    func months(language: String, word: String, expected: Int?) {
        #expect(DateWords.of(language).month(word) == expected)
    }

    @Test("order, calendar and day periods follow the language")
    func conventions() {
        #expect(DateWords.of("en-US").isMonthFirst && !DateWords.of("en-GB").isMonthFirst)
        #expect(DateWords.of("th").yearOffset == 543 && DateWords.of("de").yearOffset == 0)
        #expect(DateWords.of("fa").isPersian && !DateWords.of("ar").isPersian)
        #expect(DateWords.of("en").dayPeriod("pm") == 1 && DateWords.of("de").dayPeriod("am") == 0)
    }
}
