import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / response head")
struct ResponseHeadTests {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { Array("\(line)\r\n".utf8).withUnsafeBufferPointer { head.receive($0) } }
        return head
    }

    @Test("relevant fields are read in any case, and the empty line completes the head")
    func fields() {
        let head = head(
            "HTTP/1.1 302 Found", "LOCATION: /x ", "Retry-After: 5", "ETag: \"a\"", "Content-Length: 12",
            "content-type: Text/HTML; charset=utf-8", "")
        #expect(head.isComplete && head.status == 302 && head.location == "/x" && head.retryAfter == "5")
        #expect(head.etag == "\"a\"" && head.contentLength == 12)
        #expect(head.contentType == ContentType("text/html;charset=utf-8"))
    }

    @Test("interim responses are dropped but count in bytes")
    func interim() {
        let head = head("HTTP/1.1 100 Continue", "Location: /early", "", "HTTP/1.1 200 OK", "")
        #expect(head.isComplete && head.status == 200 && head.location == nil)
        #expect(head.bytes == 23 + 18 + 2 + 17 + 2)
    }

    @Test("the first of repeated fields counts, and codings add up")
    func repeated() {
        let head = head("HTTP/2 200", "Location: /a", "Location: /b", "Content-Encoding: gzip", "Content-Encoding: br")
        #expect(head.location == "/a" && head.codings == 2 && !head.isComplete)
    }

    @Test("trailers after the head are ignored")
    func trailers() { #expect(head("HTTP/1.1 200 OK", "", "Location: /late").location == nil) }
}
