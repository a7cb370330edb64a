import Testing

@testable import Readability

@Suite("Readability / letters")
struct LettersTests {
    @Test(
        "characters beyond ASCII are classified",
        arguments: [
            ("é", .letter), ("한", .letter), ("漢", .ideograph), ("か", .ideograph), ("ก", .spaceless), ("。", .terminator),
            ("…", .terminator),
            ("؟", .terminator), ("：", .colon), ("»", .closer), ("”", .closer), ("–", .sign), ("😀", .sign), ("©", .sign),
        ] as [(String, Letters.Kind)])
    func kind(character: String, kind: Letters.Kind) {
        let bytes = Array(character.utf8) + [0]
        #expect(Letters.kind(bytes[0], bytes[1], bytes[2]) == kind)
    }

    @Test("capitals of Latin-1, Greek and Cyrillic have lowercase letters", arguments: ["ÉÀÞ", "ΑΩ", "АЯЁ", "×éωя"])
    func lowercase(text: String) {
        for character in text {
            let bytes = Array(String(character).utf8)
            let (first, second) = Letters.lowercase(bytes[0], bytes[1])
            #expect([first, second] == Array(character.lowercased().utf8))
        }
    }

    @Test(
        "a colon may be fullwidth and have a space before it",
        arguments: [
            (":", true), (" : a", true), ("：a", true), ("a:", false), ("", false),
        ])
    func colon(text: String, expected: Bool) { #expect(Letters.beginsWithColon(Array(text.utf8)[...]) == expected) }
}
