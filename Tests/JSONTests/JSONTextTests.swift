import JSON
import Testing

@Suite("JSON / text")
struct JSONTextTests {
    @Test(
        "strings are escaped as RFC 8259 requires",
        arguments: [
            ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("line\nfeed\ttab\r", #""line\nfeed\ttab\r""#),
            ("\u{1}", #""\u0001""#), ("Grüße 🌍", "\"Grüße 🌍\""),
        ])
    func escapes(text: String, json: String) { #expect(JSONText.string(text) == json) }

    @Test("nil is null")
    func null() { #expect(JSONText.string(nil) == "null") }

    @Test("the token alphabet excludes characters that give - and _ in base 64")
    func tokenAlphabet() {
        #expect(JSONText.string("ü>?~🌍\u{7F}", alphabet: .token) == #""\u00fc\u003e\u003f\u007e\ud83c\udf0d\u007f""#)
        #expect(JSONText.inTokenAlphabet(#"{"a":"é?"}"#) == #"{"a":"\u00e9\u003f"}"#)
    }

    @Test(
        "exponents count with the digits that they stand for",
        arguments: [
            ("[1e131071]", 131_081), ("[1E-20,2e+3]", 35), ("1e99999999999999999999", 1_000_022), ("[true,false]", 12),
            (#"{"e9":"1e9\"e9"}"#, 16), ("", 0), ("1e", 2),
        ])
    func exponents(json: String, length: Int) {
        #expect(JSONText.lengthWithoutExponents(of: Array(json.utf8)) == length)
    }
}
