import Testing

@testable import Languages

@Suite("Languages / detection")
struct LanguageGuessTests {
    @Test(
        "scripts without spaces are recognised",
        arguments: [
            ("島の住民は月曜日、古い灯台を取り壊さず、これからも一緒に守っていくことを決めた。町長は、ここに暮らすすべての人にとって良い日だと述べた。", "ja"),
            ("岛上的居民星期一决定不拆除旧灯塔，而是在未来的岁月里共同维护它。镇长说，这对所有住在这里的人来说都是美好的一天。", "zh"),
            ("섬 주민들은 월요일에 오래된 등대를 철거하지 않고 앞으로 함께 지켜 나가기로 결정했다. 시장은 이곳에 사는 모든 사람에게 좋은 날이라고 말했다.", "ko"),
            ("קבעו תושבי האי ביום שני שלא להרוס את המגדלור הישן אלא לשמור עליו יחד בשנים הבאות.", "he"),
        ])
    func scripts(text: String, code: String) { #expect(LanguageGuess(of: text)?.code == code) }

    @Test("control characters and a split character do not break detection")
    func hostile() {
        let text =
            String(repeating: LanguagesTests.german + "\u{0}\u{7}\u{FFFF}", count: 1)
            + String(repeating: "ü", count: 4_000)
        _ = LanguageGuess(of: text)
        #expect(LanguageGuess(of: "\u{1}" + LanguagesTests.german)?.code == "de")
    }
}
