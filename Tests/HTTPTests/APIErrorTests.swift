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
}
