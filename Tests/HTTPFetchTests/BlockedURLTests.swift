import CCurl
import Glibc
import Testing

@testable import HTTPFetch

/// Tests each spelling at every place that can block it. No fetch here leaves this machine, even without any check.
@Suite("HTTPFetch / blocked spellings")
struct BlockedURLTests {
    @Test("the decision depends on the target, not on its spelling", arguments: BlockedURL.all)
    func decision(row: BlockedURL) throws {
        switch row.reason {
        case .scheme: #expect(throws: FetchError.blockedScheme) { try CurlURL(row.url) }
        case .invalidURL: #expect(throws: FetchError.invalidURL) { try CurlURL(row.url) }
        case .name(let name):
            let curlURL = try CurlURL(row.url)
            #expect(AddressRules().verdictBeforeProxy(curlURL) == .blocked(.name(name)))
        case .address(let text, _), .port(let text, _):
            let curlURL = try CurlURL(row.url)
            #expect(NetworkAddress(curlURL.host) == NetworkAddress(text))
            let rejection = try #require(try row.rejection)
            let address = try #require(NetworkAddress(text))
            let verdict = AddressRules().verdict(on: address, port: curlURL.port, host: curlURL.host)
            #expect(verdict == .blocked(rejection))
        }
        #expect(AddressRules().blocksURL(row.url))
    }

    @Test("the hook returns no socket", arguments: BlockedURL.all)
    func hook(row: BlockedURL) throws {
        let text: String
        switch row.reason {
        case .address(let address, _), .port(let address, _): text = address
        case .name, .scheme, .invalidURL: return
        }
        let curlURL = try CurlURL(row.url)
        let connectGuard = ConnectGuard(rules: AddressRules())
        connectGuard.beginHop(to: curlURL.host, for: .site)
        #expect(try !ConnectGuardTests().opens(connectGuard, text, port: curlURL.port))
        #expect(try connectGuard.rejection == row.rejection)
    }

    @Test("a proxy receives no request for it", arguments: BlockedURL.all)
    func proxy(row: BlockedURL) throws {
        let proxy = LoopbackSite { _, client in client.answer(body: "inside") }
        let fetcher = try testFetcher {
            $0.rules = AddressRules()
            $0.proxy = "http://127.0.0.1:\(proxy.port)"
        }
        try expect(failure(fetcher, row.url), of: row, message: row.rejection?.sentence)
        #expect(proxy.requests.isEmpty)
    }

    @Test("a fetch of this machine fails", arguments: BlockedURL.all.filter(\.leadsHere))
    func fetch(row: BlockedURL) throws {
        let error = failure(try testFetcher { $0.rules = AddressRules() }, row.url)
        // For a name, the hook checks the address.
        let isName = if case .name = row.reason { true } else { false }
        try expect(error, of: row, message: isName ? error?.message : row.rejection?.sentence)
        if isName { #expect(error?.message.contains(SpecialUse.loopback.rawValue) == true) }
    }

    private func expect(_ error: FetchError?, of row: BlockedURL, message: String?) throws {
        switch row.reason {
        case .scheme: #expect(error?.reason == .blockedScheme)
        case .invalidURL: #expect(error?.reason == .invalidURL)
        case .address, .port, .name:
            #expect(error?.reason == .blockedAddress)
            #expect(error?.message == message)
        }
        #expect(error?.retryable == false)
    }

    @Test(
        "a URL that only resembles this machine is allowed",
        arguments: [
            ("http://example.org\\@127.0.0.1/", "example.org"), ("http://example.org/@127.0.0.1/", "example.org"),
            ("http://127.0.0.1@example.org/", "example.org"),
            ("http://127.0.0.1.example.org/", "127.0.0.1.example.org"),
            ("http://127.0.0.1:80@example.org/", "example.org"), ("http://example.org?@127.0.0.1/", "example.org"),
            ("http://0x7f.example.org/", "0x7f.example.org"), ("http://example.0xyz/", "example.0xyz"),
            ("http://8.8.2056/", "8.8.8.8"),
            ("http://８.8.8.8./", "8.8.8.8"), (" http://example.org/", "example.org"),
        ])
    func others(url: String, host: String) throws {
        let curlURL = try CurlURL(url)
        #expect(curlURL.host == host)
        #expect(AddressRules().verdictBeforeProxy(curlURL) == .allowed)
        #expect(!AddressRules().blocksURL(url))
    }
}
