import Glibc
import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / parameters")
struct ParametersTests {
    private func head(_ entries: [[UInt8]], fieldLimit: Int = 100) -> Parameters.Head {
        var list = entries.map { strdup(String(decoding: $0, as: UTF8.self)) } + [nil]
        // Bytes that are not valid UTF-8 must arrive unchanged.
        for (index, entry) in entries.enumerated() {
            free(list[index])
            let copy = malloc(entry.count + 1)?.assumingMemoryBound(to: CChar.self)
            for (offset, byte) in entry.enumerated() { copy?[offset] = CChar(bitPattern: byte) }
            copy?[entry.count] = 0
            list[index] = copy
        }
        defer { for entry in list { free(entry) } }
        return list.withUnsafeMutableBufferPointer {
            Parameters(list: $0.baseAddress!).head(idParameter: "LECTERN_REQUEST_ID", fieldLimit: fieldLimit)
        }
    }

    private func head(_ entries: String..., fieldLimit: Int = 100) -> Parameters.Head {
        head(entries.map { Array($0.utf8) }, fieldLimit: fieldLimit)
    }

    @Test("method, path, query, headers, address and id come from their parameters")
    func request() {
        let request = head(
            "REQUEST_METHOD=PATCH", "REQUEST_URI=/rest/v1/links?id=eq.a%2Fb&x", "CONTENT_TYPE=application/json",
            "CONTENT_LENGTH=12", "HTTP_IF_NONE_MATCH=\"a=b\"", "REMOTE_ADDR=192.0.2.1", "LECTERN_REQUEST_ID=a-B_9",
            "SERVER_NAME=ignored"
        ).request
        #expect(request.method == "PATCH")
        #expect(request.path == "/rest/v1/links")
        #expect(request.query == "id=eq.a%2Fb&x")
        #expect(
            request.headers == [
                "content-type": "application/json", "content-length": "12", "if-none-match": "\"a=b\"",
            ])
        #expect(request.remoteAddress == "192.0.2.1")
        #expect(request.id == "a-B_9")
    }

    @Test("a header field sent twice is kept twice, in order")
    func twice() {
        let request = head("REQUEST_METHOD=GET", "REQUEST_URI=/", "HTTP_PREFER=a", "HTTP_PREFER=b").request
        #expect(request.headers.values("prefer") == ["a", "b"])
    }

    @Test("the target is not decoded, and a second question mark belongs to the query")
    func target() {
        let request = head("REQUEST_METHOD=GET", "REQUEST_URI=/a%2e%2E/%00?b?c=%ff").request
        #expect(request.path == "/a%2e%2E/%00")
        #expect(request.query == "b?c=%ff")
    }

    @Test("bytes outside ASCII in the target arrive percent-encoded, even if they are not valid UTF-8")
    func rawBytes() {
        let target = Array("REQUEST_URI=/é".utf8) + [0xff] + Array("?q=".utf8) + [0x80]
        let request = head([Array("REQUEST_METHOD=GET".utf8), target]).request
        #expect(request.path == "/%C3%A9%FF")
        #expect(request.query == "q=%80")
    }

    @Test(
        "an invalid id is replaced by a new one",
        arguments: ["", "a b", "ä", String(repeating: "a", count: 65), "a\"b", "a\u{1}"])
    func badID(id: String) {
        let fresh = head("REQUEST_METHOD=GET", "REQUEST_URI=/", "LECTERN_REQUEST_ID=\(id)").request.id
        #expect(fresh != id && fresh.utf8.count == 32 && RequestID.isValid(fresh))
    }

    @Test("without a parameter for it there is no address")
    func noAddress() {
        #expect(head("REQUEST_METHOD=GET", "REQUEST_URI=/").request.remoteAddress == nil)
        #expect(head("REQUEST_METHOD=GET", "REQUEST_URI=/", "REMOTE_ADDR=").request.remoteAddress == nil)
    }

    @Test("a request without a method or a path is rejected")
    func malformed() {
        #expect(head("REQUEST_URI=/").rejection == .malformed)
        #expect(head("REQUEST_METHOD=GET").rejection == .malformed)
        #expect(head("REQUEST_METHOD=GET", "REQUEST_URI=?a").rejection == .malformed)
        #expect(head().rejection == .malformed)
    }

    @Test(
        "a length that is not a number is rejected",
        arguments: ["-1", "+1", "1 ", "0x10", "99999999999999999999", "1,2"])
    func badLength(length: String) {
        #expect(head("REQUEST_METHOD=GET", "REQUEST_URI=/", "CONTENT_LENGTH=\(length)").rejection == .malformed)
    }

    @Test("an empty length, which nginx sends for a request without a body, counts as no length")
    func emptyLength() {
        let head = head("REQUEST_METHOD=GET", "REQUEST_URI=/", "CONTENT_LENGTH=")
        #expect(head.contentLength == nil && head.rejection == nil)
    }

    @Test("more fields than the limit are rejected")
    func tooMany() {
        let head = head("REQUEST_METHOD=GET", "REQUEST_URI=/", "HTTP_A=1", "HTTP_B=1", fieldLimit: 3)
        #expect(head.rejection == .tooManyFields(limit: 3))
        #expect(head.request.path == "/")
    }
}
