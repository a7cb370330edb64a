import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / response text")
struct ResponseTextTests {
    private func head(_ response: Response, to method: String = "GET") -> String {
        String(decoding: ResponseText(response, to: method).head, as: UTF8.self)
    }

    @Test("a line end in a header value cannot begin another header")
    func injection() {
        let text = head(Response(status: 200, headers: ["x-note": "a\r\nset-cookie: b\0"]))
        #expect(text == "Status: 200 OK\r\nx-note: aset-cookie: b\r\ncontent-length: 0\r\n\r\n")
    }

    @Test(
        "responses to HEAD and those with 204 and 304 have no body",
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func bodyless(method: String, status: Int) {
        #expect(ResponseText(Response(status: status, body: [1, 2, 3]), to: method).body.isEmpty)
    }

    @Test("a response to HEAD has the length its body would have, and 204 and 304 have no length")
    func length() {
        #expect(head(Response(status: 200, body: [1, 2, 3]), to: "HEAD").contains("content-length: 3\r\n"))
        #expect(!head(Response(status: 204)).contains("content-length"))
        #expect(!head(Response(status: 304)).contains("content-length"))
    }

    @Test("a length that the handler set is kept")
    func ownLength() {
        let text = head(Response(status: 200, headers: ["content-length": "7"]), to: "HEAD")
        #expect(text == "Status: 200 OK\r\ncontent-length: 7\r\n\r\n")
    }

    @Test("an invalid status becomes 500", arguments: [0, 99, 700, -1])
    func status(number: Int) {
        #expect(head(Response(status: number)).hasPrefix("Status: 500 "))
    }
}
