import CCurl
import Glibc
import Testing

@testable import HTTPFetch

/// Fetches whose targets the hook blocks before a packet is sent. An override provides the addresses of names.
@Suite("HTTPFetch / blocked targets")
struct BlockedTargetTests {
    @Test(
        "a name that leads to a private address is blocked",
        arguments: [
            "10.0.0.1", "192.168.1.1", "169.254.169.254", "127.0.0.1", "[::1]", "[fd00::1]", "[fe80::1]", "100.64.0.1",
            "0.0.0.0",
        ])
    func names(address: String) throws {
        let fetcher = try testFetcher {
            $0.rules = AddressRules()
            $0.nameOverrides = ["evil.test:80:\(address)"]
        }
        let error = failure(fetcher, "http://evil.test/")
        #expect(error?.reason == .blockedAddress)
        #expect(error?.retryable == false)
        #expect(error?.status == nil)
    }

    @Test("a name that led to a public address is checked again when its address changes")
    func changing() throws {
        let site = LoopbackSite { _, client in client.redirect(to: "http://changing.test:81/secret") }
        let fetcher = try testFetcher {
            $0.nameOverrides = ["changing.test:\(site.port):127.0.0.1", "changing.test:81:10.0.0.1"]
        }
        let error = failure(fetcher, "http://changing.test:\(site.port)/")
        #expect(error?.reason == .blockedAddress)
        #expect(error?.hops == 1)
        #expect(site.requests.count == 1)
    }

    @Test(
        "a redirect to a blocked address is blocked at its hop",
        arguments: ["10.0.0.1", "[::1]", "2130706434", "localhost"])
    func redirects(host: String) throws {
        let site = LoopbackSite { request, client in client.redirect(to: "http://\(host)/secret") }
        let rules = AddressRules(allowing: try AllowList("127.0.0.1:\(site.port)"))
        let error = failure(try testFetcher { $0.rules = rules }, site.url())
        #expect(error?.reason == .blockedAddress)
        #expect(error?.hops == 1)
        #expect(site.requests.count == 1)
    }

    @Test("only the public ones of several addresses are tried")
    func several() throws {
        let site = LoopbackSite { _, client in client.answer(body: "open") }
        let fetcher = try testFetcher { $0.nameOverrides = ["both.test:\(site.port):10.0.0.1,127.0.0.1,192.168.0.1"] }
        #expect(text(try fetcher.fetch("http://both.test:\(site.port)/")) == "open")
    }

    @Test("a connection of an allowed host is not reused for another name of the same address")
    func reuse() throws {
        let site = LoopbackSite { _, client in client.answer(body: "inside") }
        let rules = AddressRules(allowing: try AllowList("wiki.test"))
        let fetcher = try testFetcher(names: ["wiki.test", "evil.test"], at: site) { $0.rules = rules }
        #expect(text(try fetcher.fetch("http://wiki.test:\(site.port)/")) == "inside")
        #expect(failure(fetcher, "http://evil.test:\(site.port)/")?.reason == .blockedAddress)
        #expect(failure(fetcher, site.url())?.reason == .blockedAddress)
        #expect(text(try fetcher.fetch("http://wiki.test:\(site.port)/")) == "inside")
        #expect(site.requests.count == 2)
    }

    @Test("ports of other services are blocked on every address", arguments: [22, 25, 5432, 6379, 11211])
    func ports(port: Int) throws {
        let fetcher = try testFetcher {
            $0.nameOverrides = ["open.test:\(port):127.0.0.1"]
        }
        #expect(failure(fetcher, "http://open.test:\(port)/")?.reason == .blockedAddress)
    }
}
