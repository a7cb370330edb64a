import HTTP
import Testing

@testable import App

@Suite("App / untrusted proxies")
struct UntrustedProxyWatchTests {
    private let count = UntrustedProxyWatch.requests

    private func request(from address: String?, isForwarded: Bool = true) -> Request {
        Request(
            method: "GET", path: "/rest/v1/links", headers: isForwarded ? ["X-Forwarded-For": "192.0.2.1"] : [:],
            remoteAddress: address)
    }

    private func noticed(
        _ requests: [Request], by watch: UntrustedProxyWatch = UntrustedProxyWatch(trustedProxies: "")
    ) -> [String] {
        requests.compactMap(watch.proxy)
    }

    @Test("requests that all come from one address with X-Forwarded-For are noticed once")
    func once() {
        let proxied = Array(repeating: request(from: "10.0.0.5"), count: 3 * count)
        #expect(noticed(proxied) == ["10.0.0.5"])
        #expect(noticed(Array(proxied.prefix(count - 1))).isEmpty)
        // The proxy's own checks are not forwarded.
        #expect(noticed([request(from: "10.0.0.5", isForwarded: false)] + proxied) == ["10.0.0.5"])
    }

    @Test("nothing is noticed when a request comes from another address, or a proxy is trusted")
    func nothing() {
        let proxied = Array(repeating: request(from: "10.0.0.5"), count: 3 * count)
        #expect(noticed([request(from: "192.0.2.7", isForwarded: false)] + proxied).isEmpty)
        #expect(noticed([request(from: "192.0.2.7")] + proxied).isEmpty)
        #expect(noticed(proxied, by: UntrustedProxyWatch(trustedProxies: "10.0.0.0/8")).isEmpty)
        #expect(noticed(Array(repeating: request(from: nil), count: 3 * count)).isEmpty)
        let direct = Array(repeating: request(from: "10.0.0.5", isForwarded: false), count: 3 * count)
        #expect(noticed(direct).isEmpty)
    }
}
