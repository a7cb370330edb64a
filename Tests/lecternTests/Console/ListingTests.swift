import Testing

@testable import lectern

@Suite("lectern / tables on the terminal")
struct ListingTests {
    @Test("columns are as wide as their widest cell, the last one is not padded")
    func columns() {
        let lines = Table.lines([["NAME", "LINKS"], ["a@example.org", "7"]])
        #expect(lines == ["NAME           LINKS", "a@example.org  7"])
    }

    @Test("a table of no rows has no lines")
    func empty() { #expect(Table.lines([]).isEmpty) }

    @Test("a line of fixed columns pads each cell to twelve characters and keeps a longer cell whole")
    func fixedColumns() {
        #expect(Table.line(["PID", "STATE"]) == "PID         STATE")
        #expect(Table.line(["a cell of more than twelve", "x"]) == "a cell of more than twelve x")
    }

    @Test(
        "stored text cannot send control sequences to the terminal",
        arguments: [
            ("\u{1B}[31mred", "?[31mred"), ("a\nb", "a?b"), ("a\u{202E}b", "a?b"), ("a\u{2028}b", "a?b"),
            ("\u{7F}", "?"),
        ])
    func plain(text: String, shown: String) { #expect(Listing.plain(text) == shown) }

    @Test("ordinary letters of any script are shown as they are")
    func letters() { #expect(Listing.plain("naïve 東京 👍") == "naïve 東京 👍") }
}
