import Testing

@testable import Text

@Suite("Text / front matter")
struct FrontMatterTests {
    @Test("unknown values are left out")
    func known() {
        var front = FrontMatter()
        #expect(front.yaml == "")
        front.add("title", "The harbour")
        front.add("author", nil as String?)
        front.add("excerpt", "")
        front.add("categories", [])
        front.add("enclosure_duration", 90)
        front.add("tags", ["a", "b, c"])
        #expect(front.yaml == "---\ntitle: \"The harbour\"\nenclosure_duration: 90\ntags: [\"a\", \"b, c\"]\n---\n\n")
    }

    @Test(
        "a text is quoted on one line and never read as another type",
        arguments: [
            ("---", #""---""#), ("a: b # c", #""a: b # c""#), (#"say "no" \ yes"#, #""say \"no\" \\ yes""#),
            ("two\nlines\r\tx", #""two\nlines\x0D\tx""#),
            ("\u{85}\u{2028}\u{2029}\u{FEFF}\u{0}\u{7F}\u{FFFE}", #""\x85\u2028\u2029\uFEFF\x00\x7F\uFFFE""#),
            ("🎈é", "\"🎈é\""), ("!!python/object:x &a *b", #""!!python/object:x &a *b""#),
        ])
    func quoted(text: String, expected: String) { #expect(FrontMatter.quoted(text) == expected) }
}
