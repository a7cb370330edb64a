import HTTP
import Testing

@testable import App

@Suite("App / cross-origin requests")
struct CrossOriginTests {
    private func allowed(_ requested: String?) throws -> String {
        var headers: Headers = ["access-control-request-method": "POST"]
        if let requested { headers.add("access-control-request-headers", requested) }
        let response = CrossOrigin.preflight(Request(method: "OPTIONS", path: "/", headers: headers))
        #expect(response.status == 204)
        return try #require(response.headers["access-control-allow-headers"])
    }

    @Test("a preflight allows the requested headers besides the usual ones")
    func echoed() throws {
        #expect(try allowed("x-mine, x-other").hasSuffix(", x-mine, x-other"))
        #expect(try allowed(nil).hasPrefix("authorization, apikey, content-type"))
    }

    @Test(
        "text that is not a list of names is not echoed",
        arguments: [
            "x\r\nset-cookie: a", "x:y", "é", String(repeating: "x", count: 4_097),
        ])
    func refused(requested: String) throws { #expect(try allowed(requested) == allowed(nil)) }

    @Test("every response may be read by any origin")
    func marked() {
        var response = Response(status: 401)
        CrossOrigin.mark(&response)
        #expect(response.headers["access-control-allow-origin"] == "*")
        #expect(response.headers["access-control-expose-headers"]?.contains("Content-Range") == true)
    }
}
