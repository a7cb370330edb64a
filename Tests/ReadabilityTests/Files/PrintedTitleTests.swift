import Testing

@testable import Readability

@Suite("Readability / printed titles")
struct PrintedTitleTests {
    @Test("a title in words is used", arguments: ["The tea house", "茶の家の話", "Untitled works of a painter"])
    func usable(title: String) { #expect(PrintedTitle.isUsable(title)) }

    @Test(
        "default titles, file names and titles without letters are not used",
        arguments: ["Untitled", "Dokument1", "Microsoft Word - tea", "tea.PDF", "tea.docx", "123", "ab", ""])
    func unusable(title: String) { #expect(!PrintedTitle.isUsable(title)) }
}
