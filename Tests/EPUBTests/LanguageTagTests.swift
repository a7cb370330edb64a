import Testing

@testable import EPUB

@Suite("EPUB / language tags")
struct LanguageTagTests {
    @Test(
        "the well-formed beginning of a tag stays",
        arguments: [
            ("en", "en"), ("EN_us", "en-US"), ("zh-hans-CN", "zh-Hans-CN"), ("de-AT.utf8", "de"), ("es-419", "es-419"),
            ("en-US-x-y", "en-US"), ("pt-BR-Latn", "pt-BR"),
        ])
    func cleaned(written: String, tag: String) { #expect(LanguageTag.cleaned(written) == tag) }

    @Test(
        "a text that does not begin with a language is not a language tag",
        arguments: ["", "x", "english", "12", "-en", "a-DE", "é-x"])
    func refused(written: String) { #expect(LanguageTag.cleaned(written) == nil) }
}
