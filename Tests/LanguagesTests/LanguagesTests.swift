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
}
