import Testing

@testable import Readability

@Suite("Readability / file names")
struct FileNameTests {
    @Test(
        "file names are decoded if they are text",
        arguments: [
            ("https://h.example/a/b%20c.pdf?x#y", "b c.pdf"), ("https://h.example/%FF.txt", "%FF.txt"),
            ("https://h.example/", nil),
            ("https://h.example", nil), ("https://h.example/a%00b", "a%00b"),
            ("https://h.example/caf%C3%A9.md", "café.md"),
        ] as [(String, String?)])
    func names(url: String, name: String?) { #expect(FileName.of(url) == name) }
}
