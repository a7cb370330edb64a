import Testing

@testable import Feeds

@Suite("Feeds / XML")
struct XMLWriterTests {
    private func text(_ text: String) -> String {
        let bytes = XMLWriter.document("a", [:]) { $0.element("b", ["c": text], text: text) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("elements nest and are closed")
    func elements() {
        let bytes = XMLWriter.document("feed", ["xmlns": "urn:a"]) { xml in
            xml.element("entry") { $0.element("link", ["href": "b"]) }
        }
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <feed xmlns="urn:a"><entry><link href="b"/></entry></feed>

                """)
    }

    @Test(
        "markup in texts and attributes is escaped",
        arguments: [
            ("<&>", "&lt;&amp;&gt;", "&lt;&amp;&gt;"), ("]]>", "]]&gt;", "]]&gt;"),
            ("\"'", "&quot;'", "\"'"), ("&amp;", "&amp;amp;", "&amp;amp;"),
        ])
    func escapes(text: String, inAttribute: String, inText: String) {
        #expect(self.text(text).hasSuffix("<b c=\"\(inAttribute)\">\(inText)</b></a>\n"))
    }

    @Test("characters that XML does not allow are left out")
    func controls() {
        let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
        #expect(text("a" + controls + "z").hasSuffix("<b c=\"a&#9;&#10;&#13;z\">a\t\n&#13;z</b></a>\n"))
        #expect(text("a\u{FFFE}\u{FFFF}z").hasSuffix("<b c=\"az\">az</b></a>\n"))
    }

    @Test("other characters stay", arguments: ["ünï", "\u{FFFD}\u{FEFF}", "日本", "👩‍👩‍👧", "\u{10FFFF}", "\u{7F}\u{85}"])
    func kept(text: String) { #expect(self.text(text).hasSuffix("<b c=\"\(text)\">\(text)</b></a>\n")) }

    @Test("characters are escaped wherever they stand in a long text", arguments: 0..<40)
    func places(place: Int) {
        let before = String(repeating: "a", count: place)
        let after = String(repeating: "é\n", count: 20)
        #expect(text(before + "<\u{1}&\u{FFFF}\"" + after).contains(">\(before)&lt;&amp;\"\(after)</b>"))
    }

    @Test("an attribute or a text that is nil is left out")
    func absent() {
        let bytes = XMLWriter.document("a", ["b": nil, "c": "d"]) { $0.element("e", text: nil) }
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("<a c=\"d\"></a>\n"))
    }
}
