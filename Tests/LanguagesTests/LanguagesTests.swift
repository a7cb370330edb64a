import Testing

@testable import Languages

@Suite("Languages / detection and tags")
struct LanguagesTests {
    static let german = """
        Die Bewohner der Insel haben am Montag beschlossen, den alten Leuchtturm nicht abzureißen, sondern ihn in den kommenden
        Jahren gemeinsam zu erhalten. Der Bürgermeister sprach von einem guten Tag für alle, die hier leben, und dankte den vielen
        freiwilligen Helfern, ohne die das Vorhaben gescheitert wäre.
        """
    static let english = """
        The people of the island decided on Monday not to pull down the old lighthouse but to keep it together in the years to
        come. The mayor spoke of a good day for everybody who lives here and thanked the many volunteers without whom the plan
        would have failed.
        """

    @Test("the declared language wins, unless the text is clearly in another one")
    func checked() {
        #expect(Languages.language(declared: "de-AT", of: Self.german) == "de-AT")
        #expect(Languages.language(declared: "en", of: Self.german) == "de")
        #expect(Languages.language(declared: nil, of: Self.english) == "en")
        #expect(Languages.language(declared: "de", of: "Short text") == "de")
        #expect(Languages.language(declared: "nn", of: "") == "nn")
        #expect(Languages.language(declared: nil, of: "") == nil)
    }

    @Test(
        "scripts without spaces are recognised",
        arguments: [
            ("島の住民は月曜日、古い灯台を取り壊さず、これからも一緒に守っていくことを決めた。町長は、ここに暮らすすべての人にとって良い日だと述べた。", "ja"),
            ("岛上的居民星期一决定不拆除旧灯塔，而是在未来的岁月里共同维护它。镇长说，这对所有住在这里的人来说都是美好的一天。", "zh"),
            ("섬 주민들은 월요일에 오래된 등대를 철거하지 않고 앞으로 함께 지켜 나가기로 결정했다. 시장은 이곳에 사는 모든 사람에게 좋은 날이라고 말했다.", "ko"),
            ("קבעו תושבי האי ביום שני שלא להרוס את המגדלור הישן אלא לשמור עליו יחד בשנים הבאות.", "he"),
        ])
    func scripts(text: String, code: String) { #expect(LanguageGuess(of: text)?.code == code) }

    @Test(
        "language tags are normalized",
        arguments: [
            ("en_US", "en-US"), (" DE-at ", "de-AT"), ("zh-hant-tw", "zh-Hant-TW"), ("en-US,en;q=0.9", "en-US"),
            ("", nil), ("english", nil), ("und", nil),
            ("x", nil), ("e1", nil), ("pt-br-x-<script>", "pt-BR"),
        ] as [(String, String?)])
    func tags(written: String, expected: String?) { #expect(Languages.tag(written) == expected) }

    @Test(
        "the direction follows from the language's script",
        arguments: [("ar", "rtl"), ("he-IL", "rtl"), ("fa", "rtl"), ("ur", "rtl"), ("en", "ltr"), ("az-Arab", "rtl")])
    func direction(tag: String, expected: String) { #expect(Languages.direction(of: tag) == expected) }

    @Test("control characters and a split character do not break detection")
    func hostile() {
        let text =
            String(repeating: Self.german + "\u{0}\u{7}\u{FFFF}", count: 1) + String(repeating: "ü", count: 4_000)
        _ = LanguageGuess(of: text)
        #expect(LanguageGuess(of: "\u{1}" + Self.german)?.code == "de")
    }
}
