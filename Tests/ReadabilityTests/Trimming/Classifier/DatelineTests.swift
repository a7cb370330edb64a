import Testing

@testable import Readability

@Suite("Readability / datelines")
struct DatelineTests {
    @Test(
        "a line with a date and nothing else is a dateline",
        arguments: [
            "12 march 2024", "published 12.03.2024", "on 3rd may 2021", "2018年8月16日", "2 hours ago",
            "12. märz 2024, 11:05 uhr",
            "updated: march 12, 2024 | 8:02am",
        ])
    func date(text: String) { #expect(Dateline.isDate(Array(text.utf8)[...])) }

    @Test(
        "a line with other words, without a number or without a date word is not a dateline",
        arguments: ["12 march and cows", "march", "12 2024", "5 min read", "anna 12 march 2024", ""])
    func noDate(text: String) { #expect(!Dateline.isDate(Array(text.utf8)[...])) }

    @Test("the author's name may be next to the date")
    func author() {
        let names: Set = [BlockHints.Hash.of("anna".utf8)]
        #expect(Dateline.isDate(Array("anna 12 march 2024".utf8)[...], beside: names))
        #expect(!Dateline.isDate(Array("anna".utf8)[...], beside: names))
    }
}
