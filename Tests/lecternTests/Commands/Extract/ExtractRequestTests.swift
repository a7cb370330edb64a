import Testing

@testable import lectern

@Suite("lectern / a line of extract --batch")
struct ExtractRequestTests {
    private func request(_ line: String, isTooLong: Bool = false) throws(ExtractRequest.Rejection) -> ExtractRequest {
        try ExtractRequest(LineReader.Line(bytes: Array(line.utf8), isTooLong: isTooLong))
    }

    @Test("the id is passed through unparsed, with all digits of a number")
    func id() throws {
        let request = try request(#"{"id": 12345678901234567890.10, "url": "https://e.org/", "html": "<p>é"}"#)
        #expect(request.id.text == "12345678901234567890.10")
        #expect(request.url == "https://e.org/")
        #expect(String(decoding: request.html, as: UTF8.self) == "<p>é")
    }

    @Test("a page without a URL is taken")
    func withoutURL() throws { #expect(try request(#"{"id": 1, "html": "x"}"#).url.isEmpty) }

    @Test("the last of equal names counts")
    func equalNames() throws { #expect(try request(#"{"id": 1, "id": 2, "html": "x"}"#).id.text == "2") }

    @Test(
        "a line that is not a page is rejected with its reason and the id found so far",
        arguments: [
            ("[]", "null", "the line is not a JSON object"),
            (#"{"id": 3, "html": "x""#, "3", "the line is not a JSON object"),
            (#"{"html": "x"}"#, "null", "the line has no id"),
            (#"{"id": "a"}"#, #""a""#, "the line has no html"),
            (#"{"id": 4, "html": "x", "url": 5}"#, "4", "url is not a string"),
        ])
    func rejected(line: String, id: String, reason: String) {
        let rejection = #expect(throws: ExtractRequest.Rejection.self) { try request(line) }
        #expect(rejection?.id.text == id)
        #expect(rejection?.reason == reason)
    }

    @Test("a line past the limit is rejected, not parsed in part")
    func tooLong() {
        let rejection = #expect(throws: ExtractRequest.Rejection.self) {
            try request(#"{"id": 6, "html""#, isTooLong: true)
        }
        #expect(rejection?.id.text == "6")
        #expect(rejection?.reason == "the line is longer than 64 MB")
    }
}
