import HTML
import Testing

@Suite("HTML / serializer")
struct SerializerTests {
    @Test("special characters are escaped in text and attributes, but not in raw text")
    func escaping() throws {
        #expect(
            try body("<p title='\"&lt;&nbsp;'>a&amp;b&lt;c&gt;&nbsp;\"</p><style>a>b</style>")
                == "<p title=\"&quot;&lt;&nbsp;\">a&amp;b&lt;c&gt;&nbsp;\"</p><style>a>b</style>")
    }

    @Test(
        "serialized HTML parses back to the same HTML",
        arguments: [
            "<p>a<br>b</p><img src=\"x\"><hr>", "<pre>\n\nx</pre>", "<table><tbody><tr><td>1</td></tr></tbody></table>",
            "<svg viewBox=\"0 0 1 1\"><path d=\"M0\"></path></svg>", "日本<ruby>語<rt>ご</rt></ruby>",
        ])
    func stable(html: String) throws {
        let once = try body(html)
        #expect(try body(once) == once)
    }
}
