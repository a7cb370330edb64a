import HTML
import Testing

@Suite("HTML / text measure")
struct TextMeasureTests {
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
}
