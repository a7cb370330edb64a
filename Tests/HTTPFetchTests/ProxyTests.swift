import Synchronization
import Testing

@testable import HTTPFetch

/// Fetches through a proxy on this machine. An override provides the addresses of names, so no name is looked up.
@Suite("HTTPFetch / proxy")
struct ProxyTests {
    /// A proxy that makes tunnels and is the site behind them, too.
    private func tunnellingProxy() -> LoopbackSite {
        LoopbackSite { request, client in
            if request.target.hasPrefix("/") { return client.answer(body: request.headers["host"] ?? "") }
            client.send("HTTP/1.1 200 OK\r\n\r\n")
        }
    }

    private func fetcher(
        through proxy: LoopbackSite, scheme: String = "http", names: [String] = ["far.test:80:93.184.216.34"],
        by resolution: ProxyResolution = .own, allowing: String = ""
    ) throws -> Fetcher {
        let rules = AddressRules(allowing: try AllowList(allowing))
        return try testFetcher {
            $0.rules = rules
            $0.nameOverrides = names
            $0.proxy = "\(scheme)://127.0.0.1:\(proxy.port)"
            $0.proxyResolution = resolution
        }
    }

    // MARK: - Names that the fetcher looks up

    @Test("a proxy gets the address of a name, and the site the name")
    func pinned() throws {
        let proxy = tunnellingProxy()
        let page = try fetcher(through: proxy).fetch("http://far.test/x")
        #expect(text(page) == "far.test")
        #expect(page.finalURL == "http://far.test/x")
        #expect(proxy.requests.map(\.target) == ["93.184.216.34:80", "/x"])
        #expect(proxy.requests.allSatisfy { !$0.target.contains("far.test") })
    }

    @Test("for https, too, the proxy gets the address")
    func pinnedTLS() throws {
        let proxy = LoopbackSite { _, client in client.answer("403 Forbidden") }
        let fetcher = try fetcher(through: proxy, names: ["far.test:443:93.184.216.34"])
        let error = failure(fetcher, "https://far.test/x")
        #expect(proxy.requests.map(\.target) == ["93.184.216.34:443"])
        #expect(error?.message == "The proxy did not connect to the site (status 403).")
        #expect(error?.forUsers.message == FetchError.unreachable)
    }

    @Test(
        "a name that leads to a private address is not requested from a proxy",
        arguments: ["10.0.0.1", "127.0.0.1", "169.254.169.254", "[::1]", "[fd00::1]", "10.0.0.1,192.168.0.1"])
    func inner(addresses: String) throws {
        let proxy = tunnellingProxy()
        let fetcher = try fetcher(through: proxy, names: ["evil.test:80:\(addresses)", "evil.test:443:\(addresses)"])
        for scheme in ["http", "https"] {
            #expect(failure(fetcher, "\(scheme)://evil.test/")?.reason == .blockedAddress)
        }
        #expect(proxy.requests.isEmpty)
    }

    @Test("of several addresses the proxy gets one that is allowed, and one of IPv4 before one of IPv6")
    func several() throws {
        let proxy = tunnellingProxy()
        let names = [
            "both.test:80:10.0.0.1,[2606:4700::1111],93.184.216.34,192.168.0.1", "six.test:80:[2606:4700::1111]",
        ]
        let fetcher = try fetcher(through: proxy, names: names)
        _ = try fetcher.fetch("http://both.test/")
        _ = try fetcher.fetch("http://six.test/")
        let targets = proxy.requests.map(\.target).filter { $0 != "/" }
        #expect(targets == ["93.184.216.34:80", "[2606:4700::1111]:80"])
    }

    @Test("each hop is looked up and judged")
    func hops() throws {
        let proxy = LoopbackSite { request, client in
            if request.target.hasPrefix("/") { return client.redirect(to: "http://evil.test/") }
            client.send("HTTP/1.1 200 OK\r\n\r\n")
        }
        let fetcher = try fetcher(through: proxy, names: ["far.test:80:93.184.216.34", "evil.test:80:10.0.0.1"])
        let error = failure(fetcher, "http://far.test/")
        #expect(error?.reason == .blockedAddress)
        #expect(error?.hops == 1)
        #expect(proxy.requests.map(\.target) == ["93.184.216.34:80", "/"])
    }

    @Test("a proxy without CONNECT gets the address in the URL and the name in the Host field", arguments: [405, 501])
    func withoutTunnels(status: Int) throws {
        let proxy = LoopbackSite { request, client in
            guard request.target.hasPrefix("http:") else { return client.answer("\(status) No") }
            client.answer(body: request.headers["host"] ?? "")
        }
        let page = try fetcher(through: proxy).fetch("http://far.test/x?y")
        #expect(text(page) == "far.test")
        #expect(page.finalURL == "http://far.test/x?y")
        #expect(proxy.requests.map(\.target) == ["93.184.216.34:80", "http://93.184.216.34/x?y"])
    }

    @Test("an inner name of the allow list is requested")
    func allowed() throws {
        let proxy = tunnellingProxy()
        let fetcher = try fetcher(through: proxy, names: ["wiki.test:80:10.0.0.1"], allowing: "wiki.test")
        #expect(text(try fetcher.fetch("http://wiki.test/")) == "wiki.test")
        #expect(proxy.requests.first?.target == "10.0.0.1:80")
    }

    // MARK: - SOCKS

    @Test("a SOCKS proxy gets the address, whatever its scheme", arguments: ["socks5", "socks5h"])
    func socks5(scheme: String) throws {
        let asked = Mutex<[UInt8]>([])
        let proxy = LoopbackSite(opening: { client in
            let methods = client.read(2).last.map { Int($0) } ?? 0
            _ = client.read(methods)
            client.send([5, 0])
            let question = client.read(10)
            asked.withLock { $0 = question }
            client.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        }) { request, client in client.answer(body: request.headers["host"] ?? "") }
        let fetcher = try fetcher(through: proxy, scheme: scheme)
        #expect(text(try fetcher.fetch("http://far.test/")) == "far.test")
        // Version, connect, reserved, IPv4, the address, the port.
        #expect(asked.withLock { $0 } == [5, 1, 0, 1, 93, 184, 216, 34, 0, 80])
    }

    @Test("a SOCKS4 proxy gets the address, whatever its scheme", arguments: ["socks4", "socks4a"])
    func socks4(scheme: String) throws {
        let asked = Mutex<[UInt8]>([])
        let proxy = LoopbackSite(opening: { client in
            let question = client.read(9)
            asked.withLock { $0 = question }
            client.send([0, 90, 0, 0, 0, 0, 0, 0])
        }) { request, client in client.answer(body: request.headers["host"] ?? "") }
        let fetcher = try fetcher(through: proxy, scheme: scheme)
        #expect(text(try fetcher.fetch("http://far.test/")) == "far.test")
        // Version, connect, the port, the address, no user.
        #expect(asked.withLock { $0 } == [4, 1, 0, 80, 93, 184, 216, 34, 0])
    }

    // MARK: - Names that the proxy looks up

    @Test("a proxy that looks up names gets the name, and its own address needs no entry in the allow list")
    func named() throws {
        let proxy = LoopbackSite { request, client in client.answer(body: request.target) }
        let fetcher = try fetcher(through: proxy, names: [], by: .proxy)
        #expect(text(try fetcher.fetch("http://far.test/x")) == "http://far.test/x")
        #expect(proxy.requests.count == 1)
    }

    @Test(
        "libcurl leaves names to a SOCKS proxy exactly if the proxy looks them up",
        arguments: [
            ("socks5://p:1", "socks5://p:1", "socks5h://p:1"), ("SOCKS5H://a:b@p", "socks5://a:b@p", "socks5h://a:b@p"),
            ("socks4a://p", "socks4://p", "socks4a://p"), ("http://p:3128", "http://p:3128", "http://p:3128"),
        ])
    func schemes(given: String, own: String, proxy: String) {
        #expect(ProxyResolution.own.applied(to: given) == own)
        #expect(ProxyResolution.proxy.applied(to: given) == proxy)
    }

    @Test(
        "what is evidently an inner target is not requested from a proxy, whoever looks up names",
        arguments: [
            "10.0.0.1", "[::1]", "localhost", "printer.local", "metadata.google.internal", "93.184.216.34:22",
            "0x7f000001",
        ])
    func evident(host: String) throws {
        for resolution in [ProxyResolution.own, .proxy] {
            let proxy = tunnellingProxy()
            let fetcher = try fetcher(through: proxy, by: resolution)
            #expect(failure(fetcher, "http://\(host)/")?.reason == .blockedAddress)
            #expect(proxy.requests.isEmpty)
        }
    }
}
