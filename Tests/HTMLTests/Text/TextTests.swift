import HTML
import Testing

@Suite("HTML / text")
struct TextTests {
    @Test(
        "lengths are UTF-16 units of the trimmed text, with each run of white space counted once",
        arguments: [
            ("<p>  a  b </p>", 3), ("<p>a<b> </b> b</p>", 3), ("<p>\u{A0}x\u{3000}</p>", 1), ("<p>é日😀</p>", 4),
            ("<p> \n </p>", 0),
        ])
    func length(html: String, length: Int) throws {
        let document = try Document(parsing: html)
        #expect(document.measure(try #require(document.body)).length == length)
    }

    @Test("commas of all scripts are counted, and ASCII commas separately")
    func commas() throws {
        let measure = try Document(parsing: "<p>a, b، c， d︐ e、f</p>")
        let counted = measure.measure(measure.root)
        #expect(counted.commas == 4)
        #expect(counted.asciiCommas == 1)
    }

    @Test(
        "the start of an inner text within an outer text is known before it is added",
        arguments: [
            ("a", " b", 2), ("a ", "b", 2), ("a", "b", 1), ("", " b", 0), (" ", "b", 0),
        ])
    func lengthBeforeVisibleText(before: String, text: String, expected: Int) {
        var measure = TextMeasure()
        Array(before.utf8).withUnsafeBufferPointer { measure.add($0) }
        let start = Array(text.utf8).withUnsafeBufferPointer { measure.lengthBeforeVisibleText(of: $0) }
        #expect(start == expected)
    }

    @Test("two or more white-space characters become one space; a single one stays")
    func collapse() {
        #expect(WhiteSpace.collapse(" a\u{A0}b \n c\nd ") == "a\u{A0}b c\nd")
    }

    @Test("white space separates blocks, breaks, rows, cells and items; nothing separates inline elements")
    func renderer() throws {
        let document = try Document(
            parsing: """
                <h1>T</h1><p>a<b>b</b>c<br>d</p><ul><li>1<li>2</ul><table><tr><td>x<td>y<tr><td>z</table><pre>k
                  l</pre><figure><img><figcaption>cap</figcaption></figure>
                """)
        let text = TextRenderer().render(document, try #require(document.body))
        #expect(text == "T\n\nabc\nd\n\n1\n2\n\nx\ty\nz\n\nk\n  l\n\ncap")
        let without = TextRenderer(omitting: [.figcaption]).render(document, try #require(document.body))
        #expect(without.hasSuffix("l"))
    }
}

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
