import Testing

@testable import Text

@Suite("Text / file names")
struct FileNameTests {
    @Test(
        "letters and numbers of any script stay, in words",
        arguments: [
            ("Über „alles“: 1/2", "Über alles 1 2"), ("It's", "It’s"), ("a\\b\r\n../c", "a b c"), ("語", "語"),
        ])
    func words(title: String, name: String) { #expect(FileName.words(of: title) == name) }

    @Test("a title without letters has no name", arguments: ["", " ", "…/..", "\u{0}"])
    func none(title: String) { #expect(FileName.words(of: title) == nil) }

    @Test("a long title is cut")
    func long() { #expect(FileName.words(of: String(repeating: "a b ", count: 99))?.count ?? 99 <= 60) }

    @Test(
        "a name has at most 240 bytes, however many marks are on a letter",
        arguments: ["b" + "a" + String(repeating: "\u{301}", count: 9_999), String(repeating: "क्षि", count: 60)])
    func marks(title: String) throws {
        let name = try #require(FileName.words(of: title))
        #expect((1...240).contains(name.utf8.count))
    }
}
