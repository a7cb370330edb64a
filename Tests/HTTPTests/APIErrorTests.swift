import HTTP
import Testing

@Suite("HTTP / errors")
struct APIErrorTests {
    private struct Failure: APIError {
        var status = 418
        var code = "X1"
        var message = "a \"message\""
    }

    @Test("an error becomes a JSON object with four members")
    func shape() {
        let response = Response(error: Failure())
        #expect(response.status == 418)
        let json = #"{"code":"X1","message":"a \"message\"","details":null,"hint":null}"#
        #expect(String(decoding: response.body, as: UTF8.self) == json)
    }

    @Test("a long text is cut, because errors quote requests", arguments: [4_000, 4_001, 1_000_000])
    func long(count: Int) {
        var failure = Failure()
        failure.message = String(repeating: "é", count: count)
        let body = String(decoding: Response(error: failure).body, as: UTF8.self)
        #expect(body.contains(count > 4_000 ? String(repeating: "é", count: 4_000) + "…\"" : failure.message))
        #expect(body.utf8.count < 9_000)
    }
}
