import Testing

@testable import Links

@Suite("Links / percent-encoding")
struct PercentEncodingTests {
    @Test(
        "each part of a URL has its own set of encoded characters",
        arguments: [
            (PercentEncoding.Part.path, "%20%22%23%3Ca'%3F%7B%C3%A9"), (.query, "%20%22%23%3Ca%27?{%C3%A9"),
            (.fragment, "%20%22#%3Ca'?{%C3%A9"), (.control, " \"#<a'?{%C3%A9"),
        ])
    func encoded(part: PercentEncoding.Part, expected: String) {
        let bytes = PercentEncoding.encode(Array(" \"#<a'?{é".utf8)[...], part)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("encoded text does not change when encoded again")
    func again() {
        let text = Array("%20%zz%".utf8)
        #expect(PercentEncoding.encode(text[...], .path) == text)
    }

    @Test(
        "only complete sequences are decoded, and invalid UTF-8 becomes U+FFFD",
        arguments: [
            ("%41%c3%A9", "Aé"), ("%4", "%4"), ("%zz%", "%zz%"), ("%+1", "%+1"), ("%FF", "\u{FFFD}"), ("%2541", "%41"),
        ])
    func decoded(text: String, expected: String) { #expect(PercentEncoding.decoded(text) == expected) }
}
