import HTTP
import Testing

@Suite("HTTP / responses")
struct ResponseTests {
    @Test("a JSON response has its content type, whatever the headers say")
    func json() {
        let response = Response(status: 200, json: "{}", headers: ["content-type": "text/plain", "etag": "x"])
        #expect(response.headers.values("content-type") == ["application/json; charset=utf-8"])
        #expect(response.headers["etag"] == "x" && response.body == Array("{}".utf8))
    }
}
