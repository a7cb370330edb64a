import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / content type")
struct ContentTypeTests {
    @Test(
        "the media type is lower case and the charset is unquoted",
        arguments: [
            ("text/html", "text/html", nil), ("Text/HTML ; Charset=\"UTF-8\"", "text/html", "UTF-8"),
            ("text/html;charset='latin1';x=y", "text/html", "latin1"),
            ("text/html;charset=a;charset=b", "text/html", "a"),
            ("text/html, text/plain", "text/html", nil), ("text/html;charset=", "text/html", nil),
        ] as [(String, String, String?)])
    func parsed(value: String, mediaType: String, charset: String?) throws {
        let type = try #require(ContentType(value))
        #expect(type.mediaType == mediaType && type.charset == charset)
    }

    @Test("a value without type and subtype is nil", arguments: ["", "html", ";charset=utf-8"])
    func invalid(value: String) { #expect(ContentType(value) == nil) }
}
