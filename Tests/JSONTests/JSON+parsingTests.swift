import JSON
import Testing

@Suite("JSON / handwritten JSON")
struct JSONParsingTests {
    @Test(
        "JSON written by hand is parsed leniently",
        arguments: [
            "{\"a\": [1, 2,],};", "// comment\n{\"a\": [1, 2]}", "<!-- {\"a\": [1, /* b */ 2]} -->",
            "//<![CDATA[\n{\"a\": [1, 2]}\n//]]>",
            "\u{FEFF}{\"a\":\u{A0}[1, 2]} {}",
        ])
    func lenient(text: String) {
        #expect(JSON(parsingLeniently: Array(text.utf8))?["a"]?.array == [.number(1), .number(2)])
        #expect(JSON(parsing: text.utf8) == nil)
    }

    @Test("strings may contain line ends and unknown escapes in lenient mode")
    func strings() {
        #expect(JSON(parsingLeniently: Array("\"x\ny\\'\"".utf8))?.string == "x\ny'")
    }

    @Test("truncated text is refused in lenient mode, too", arguments: ["{\"a\": 1", "[1, 2", "\"a", "", "{\"a\" 1}"])
    func truncated(text: String) { #expect(JSON(parsingLeniently: Array(text.utf8)) == nil) }
}
