import HTTP
import Testing

@testable import App

@Suite("App / metrics")
struct MetricsEndpointTests {
    private func isAllowed(token: String, address: String?, authorization: String? = nil) -> Bool {
        var headers: Headers = [:]
        if let authorization { headers.add("authorization", authorization) }
        let request = Request(method: "GET", path: "/metrics", headers: headers, remoteAddress: address)
        return MetricsEndpoint.isAllowed(request, token: token)
    }

    @Test("the workers' own socket needs no token")
    func ownSocket() { #expect(isAllowed(token: "", address: nil)) }

    @Test("through nginx only the right token is accepted")
    func token() {
        #expect(isAllowed(token: "t", address: "127.0.0.1", authorization: "Bearer t"))
        #expect(!isAllowed(token: "t", address: "127.0.0.1", authorization: "Bearer u"))
        #expect(!isAllowed(token: "t", address: "127.0.0.1"))
        #expect(!isAllowed(token: "", address: "127.0.0.1", authorization: "Bearer "))
    }
}
