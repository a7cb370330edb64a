import CCurl
import Glibc
import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / address rules")
struct AddressRulesTests {
    static let refused: [(String, SpecialUse)] = [
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback), ("0.0.0.0", .unspecified),
        ("0.1.2.3", .unspecified), ("::", .unspecified), ("10.0.0.0", .privateNetwork), ("10.255.255.255", .privateNetwork),
        ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork), ("192.168.0.1", .privateNetwork),
        ("192.168.255.255", .privateNetwork), ("169.254.0.1", .linkLocal), ("169.254.255.255", .linkLocal),
        ("169.254.169.254", .metadata), ("169.254.170.2", .metadata), ("100.100.100.200", .metadata),
        ("168.63.129.16", .metadata), ("192.0.0.192", .metadata), ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata),
        ("100.64.0.0", .carrierNetwork), ("100.127.255.255", .carrierNetwork), ("192.0.0.1", .reserved),
        ("192.0.2.1", .documentation), ("198.51.100.7", .documentation), ("203.0.113.255", .documentation),
        ("192.31.196.1", .reserved), ("192.52.193.1", .reserved), ("192.88.99.1", .reserved), ("192.175.48.1", .reserved),
        ("198.18.0.1", .benchmark), ("198.19.255.255", .benchmark), ("224.0.0.1", .multicast), ("239.255.255.250", .multicast),
        ("240.0.0.1", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
        ("::ffff:127.0.0.1", .embedsIPv4), ("::ffff:8.8.8.8", .embedsIPv4), ("::ffff:0:8.8.8.8", .embedsIPv4),
        ("::127.0.0.1", .embedsIPv4), ("::8.8.8.8", .embedsIPv4), ("64:ff9b::7f00:1", .embedsIPv4),
        ("64:ff9b::8.8.8.8", .embedsIPv4), ("64:ff9b:1::1", .embedsIPv4), ("2002:7f00:1::", .embedsIPv4),
        ("2002:808:808::1", .embedsIPv4), ("2001:0:808:808::1", .embedsIPv4), ("2001::1", .embedsIPv4),
        ("2001:2::1", .benchmark), ("2001:10::1", .reserved), ("2001:20::1", .reserved), ("2001:1ff::1", .reserved),
        ("2001:db8::1", .documentation), ("2001:db8:ffff::1", .documentation), ("3fff::1", .documentation),
        ("3fff:fff::1", .documentation), ("100::1", .reserved), ("5f00::1", .reserved), ("fc00::1", .privateNetwork),
        ("fd12:3456::1", .privateNetwork), ("fdff:ffff::1", .privateNetwork), ("fe80::1", .linkLocal),
        ("febf:ffff::1", .linkLocal), ("fec0::1", .privateNetwork), ("feff::1", .privateNetwork), ("ff00::1", .multicast),
        ("ff02::1", .multicast), ("ffff:ffff::1", .multicast), ("4000::1", .reserved), ("1fff::1", .reserved),
        ("e000::1", .reserved), ("::2", .embedsIPv4), ("0:0:0:0:0:0:0:1", .loopback), ("200::1", .reserved),
        ("127.127.127.127", .loopback), ("169.254.170.23", .metadata), ("fd00:ec2::23", .metadata), ("192.0.0.8", .reserved),
        ("192.0.0.170", .reserved), ("224.0.0.251", .multicast), ("233.252.0.1", .multicast), ("247.255.255.255", .reserved),
        ("::ffff:10.0.0.1", .embedsIPv4), ("::ffff:169.254.169.254", .embedsIPv4), ("::ffff:0:127.0.0.1", .embedsIPv4),
        ("::169.254.169.254", .embedsIPv4), ("64:ff9b::10.0.0.1", .embedsIPv4), ("64:ff9b::a9fe:a9fe", .embedsIPv4),
        ("64:ff9b:1:ffff:ffff::7f00:1", .embedsIPv4), ("2002:a9fe:a9fe::1", .embedsIPv4), ("2002:c0a8:101::", .embedsIPv4),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", .embedsIPv4), ("2001:1::1", .reserved), ("2001:3::1", .reserved),
        ("2001:4:112::1", .reserved), ("2001:1f:ffff::1", .reserved), ("2001:2f:ffff::1", .reserved), ("2001:30::1", .reserved),
        ("2620:4f:8000::1", .reserved), ("100::ffff:ffff:ffff:ffff", .reserved), ("100:0:0:1::1", .reserved),
        ("2001:db8::7f00:1", .documentation), ("fe80::a9fe:a9fe", .linkLocal), ("ff05::1:3", .multicast), ("ff0e::fb", .multicast),
        ("64:ff9a::1", .reserved), ("::ffff:ffff:7f00:1", .reserved), ("7fff::1", .reserved),
    ]

    @Test("addresses that are not of the open web are refused, each for its reason", arguments: refused)
    func refusedAddresses(text: String, use: SpecialUse) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressRules().judge(address, port: 80, host: "h.test") == .refused(.address(address, use)))
    }

    @Test("addresses of the open web are not", arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255",
        "2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700::1111", "3ffe::1", "2a00:1450::1",
    ])
    func openAddresses(text: String) throws {
        #expect(AddressRules().judge(try #require(NetworkAddress(text)), port: 443, host: "h.test") == .allowed)
    }

    @Test("every row of the table is a network")
    func table() {
        #expect(SpecialNetworks.all.count == SpecialNetworks.rows.count)
        #expect(SpecialNetworks.globalIPv6 != nil)
    }

    @Test("addresses are written as the standards write them", arguments: ["10.1.2.3", "fe80::1", "::", "2001:db8::a:0:0:1"])
    func written(text: String) {
        #expect(NetworkAddress(text)?.description == text)
    }

    @Test("what is no address in standard spelling is none", arguments: ["127.1", "0x7f.0.0.1", "010.0.0.1.1", "[::1]", "", "::g"])
    func noAddress(text: String) {
        #expect(NetworkAddress(text) == nil)
    }
}

/// The hook as libcurl calls it, with the socket address libcurl would pass.
@Suite("HTTPFetch / connect hook")
struct ConnectGateTests {
    /// Calls the hook; closes the socket it gives. True when it gave one.
    fileprivate func opens(_ gate: ConnectGuard, _ text: String, port: UInt16 = 80, family: Int32? = nil) throws -> Bool {
        let address = try #require(NetworkAddress(text))
        let offset = try #require(MemoryLayout<curl_sockaddr>.offset(of: \.addr))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
        let request = memory.bindMemory(to: curl_sockaddr.self, capacity: 1)
        request.pointee.socktype = Int32(SOCK_STREAM.rawValue)
        switch address {
        case .v4(let number):
            var socket = sockaddr_in()
            socket.sin_family = sa_family_t(family ?? AF_INET)
            socket.sin_port = port.bigEndian
            socket.sin_addr.s_addr = number.bigEndian
            memory.storeBytes(of: socket, toByteOffset: offset, as: sockaddr_in.self)
            request.pointee.family = AF_INET
            request.pointee.addrlen = UInt32(MemoryLayout<sockaddr_in>.size)
        case .v6(let number):
            var socket = sockaddr_in6()
            socket.sin6_family = sa_family_t(family ?? AF_INET6)
            socket.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &socket.sin6_addr) { bytes in
                withUnsafeBytes(of: number.bigEndian) { bytes.copyMemory(from: $0) }
            }
            memory.storeBytes(of: socket, toByteOffset: offset, as: sockaddr_in6.self)
            request.pointee.family = AF_INET6
            request.pointee.addrlen = UInt32(MemoryLayout<sockaddr_in6>.size)
        }
        let socket = openThroughGate(Unmanaged.passUnretained(gate).toOpaque(), CURLSOCKTYPE_IPCXN, request)
        if socket != CCURL_SOCKET_BAD { close(socket) }
        return socket != CCURL_SOCKET_BAD
    }

    @Test("refused addresses get no socket, and the reason is kept", arguments: AddressRulesTests.refused)
    func refuses(text: String, use: SpecialUse) throws {
        let gate = ConnectGuard(rules: AddressRules(), isProxied: false)
        gate.beginHop(to: "h.test")
        #expect(try !opens(gate, text))
        #expect(gate.refusal == .address(try #require(NetworkAddress(text)), use))
        #expect(gate.opened == 0)
    }

    @Test("open addresses get a socket that is not connected to anything yet", arguments: ["8.8.8.8", "2606:4700::1111"])
    func opensOthers(text: String) throws {
        let gate = ConnectGuard(rules: AddressRules(), isProxied: false)
        gate.beginHop(to: "h.test")
        #expect(try opens(gate, text, port: 443))
        #expect(try !opens(gate, text, port: 25))
        #expect(gate.refusal == .port(25))
    }

    @Test("a host of the allow list opens only that host's connections")
    func hostEntry() throws {
        let gate = ConnectGuard(rules: AddressRules(allowing: try AllowList("wiki.test")), isProxied: false)
        gate.beginHop(to: "wiki.test")
        #expect(try opens(gate, "10.0.0.1"))
        gate.beginHop(to: "evil.test")
        #expect(try !opens(gate, "10.0.0.1"))
    }

    @Test("families other than IPv4 and IPv6 get no socket")
    func families() throws {
        let gate = ConnectGuard(rules: AddressRules(), isProxied: false)
        #expect(try !opens(gate, "8.8.8.8", family: AF_UNIX))
        #expect(gate.refusal == .family)
    }
}

/// Each spelling at every place that could refuse it. No fetch here reaches further than this machine, whatever is refused.
@Suite("HTTPFetch / refused spellings")
struct RefusedURLTests {
    @Test("the decision is made on what the spelling means", arguments: RefusedURL.all)
    func decision(row: RefusedURL) throws {
        switch row.reason {
        case .scheme: #expect(throws: FetchError.refusedScheme) { try CurlURL(row.url) }
        case .noURL: #expect(throws: FetchError.noURL) { try CurlURL(row.url) }
        case .name(let name):
            let wire = try CurlURL(row.url)
            #expect(AddressRules().judgeBeforeProxy(wire) == .refused(.name(name)))
        case .address(let text, _), .port(let text, _):
            let wire = try CurlURL(row.url)
            #expect(NetworkAddress(wire.host) == NetworkAddress(text))
            let refusal = try #require(try row.refusal)
            #expect(try AddressRules().judge(#require(NetworkAddress(text)), port: wire.port, host: wire.host) == .refused(refusal))
        }
        #expect(AddressRules().refusesByItself(row.url))
    }

    @Test("the hook gives no socket", arguments: RefusedURL.all)
    func hook(row: RefusedURL) throws {
        let text: String
        switch row.reason {
        case .address(let address, _), .port(let address, _): text = address
        case .name, .scheme, .noURL: return
        }
        let wire = try CurlURL(row.url)
        let gate = ConnectGuard(rules: AddressRules(), isProxied: false)
        gate.beginHop(to: wire.host)
        #expect(try !ConnectGateTests().opens(gate, text, port: wire.port))
        #expect(try gate.refusal == row.refusal)
    }

    @Test("no proxy is asked for it", arguments: RefusedURL.all)
    func proxy(row: RefusedURL) throws {
        let proxy = LoopbackSite { _, client in client.answer(body: "inside") }
        let fetcher = try testFetcher {
            $0.rules = AddressRules()
            $0.proxy = "http://127.0.0.1:\(proxy.port)"
        }
        try expect(failure(fetcher, row.url), of: row, message: row.refusal?.sentence)
        #expect(proxy.requests.isEmpty)
    }

    @Test("what leads to this machine is refused on the way", arguments: RefusedURL.all.filter(\.leadsHere))
    func fetch(row: RefusedURL) throws {
        let error = failure(try testFetcher { $0.rules = AddressRules() }, row.url)
        // Of a name the hook judges the address.
        let isName = if case .name = row.reason { true } else { false }
        try expect(error, of: row, message: isName ? error?.message : row.refusal?.sentence)
        if isName { #expect(error?.message.contains(SpecialUse.loopback.rawValue) == true) }
    }

    private func expect(_ error: FetchError?, of row: RefusedURL, message: String?) throws {
        switch row.reason {
        case .scheme: #expect(error?.reason == .blockedScheme)
        case .noURL: #expect(error?.reason == .invalidURL)
        case .address, .port, .name:
            #expect(error?.reason == .blockedAddress)
            #expect(error?.message == message)
        }
        #expect(error?.retryable == false)
    }

    @Test("what only looks like this machine is another", arguments: [
        ("http://example.org\\@127.0.0.1/", "example.org"), ("http://example.org/@127.0.0.1/", "example.org"),
        ("http://127.0.0.1@example.org/", "example.org"), ("http://127.0.0.1.example.org/", "127.0.0.1.example.org"),
        ("http://127.0.0.1:80@example.org/", "example.org"), ("http://example.org?@127.0.0.1/", "example.org"),
        ("http://0x7f.example.org/", "0x7f.example.org"), ("http://example.0xyz/", "example.0xyz"), ("http://8.8.2056/", "8.8.8.8"),
        ("http://８.8.8.8./", "8.8.8.8"), (" http://example.org/", "example.org"),
    ])
    func others(url: String, host: String) throws {
        let wire = try CurlURL(url)
        #expect(wire.host == host)
        #expect(AddressRules().judgeBeforeProxy(wire) == .allowed)
        #expect(!AddressRules().refusesByItself(url))
    }
}

/// Whole fetches whose targets the hook refuses before a packet is sent: names are answered by an override.
@Suite("HTTPFetch / blocked targets")
struct BlockedTargetTests {
    @Test("a name that leads to a private address is blocked", arguments: [
        "10.0.0.1", "192.168.1.1", "169.254.169.254", "127.0.0.1", "[::1]", "[fd00::1]", "[fe80::1]", "100.64.0.1", "0.0.0.0",
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

    @Test("a name that has led to an open address is judged anew where it leads next")
    func changing() throws {
        let site = LoopbackSite { _, client in client.redirect(to: "http://changing.test:81/secret") }
        let fetcher = try testFetcher { $0.nameOverrides = ["changing.test:\(site.port):127.0.0.1", "changing.test:81:10.0.0.1"] }
        let error = failure(fetcher, "http://changing.test:\(site.port)/")
        #expect(error?.reason == .blockedAddress)
        #expect(error?.hops == 1)
        #expect(site.requests.count == 1)
    }

    @Test("a redirect to a blocked address is blocked on its hop", arguments: ["10.0.0.1", "[::1]", "2130706434", "localhost"])
    func redirects(host: String) throws {
        let site = LoopbackSite { request, client in client.redirect(to: "http://\(host)/secret") }
        let rules = AddressRules(allowing: try AllowList("127.0.0.1:\(site.port)"))
        let error = failure(try testFetcher { $0.rules = rules }, site.url())
        #expect(error?.reason == .blockedAddress)
        #expect(error?.hops == 1)
        #expect(site.requests.count == 1)
    }

    @Test("of several addresses only the open ones are tried")
    func several() throws {
        let site = LoopbackSite { _, client in client.answer(body: "open") }
        let fetcher = try testFetcher { $0.nameOverrides = ["both.test:\(site.port):10.0.0.1,127.0.0.1,192.168.0.1"] }
        #expect(text(try fetcher.fetch("http://both.test:\(site.port)/")) == "open")
    }

    @Test("a connection opened for an allowed host is not lent to another name of the same address")
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

    @Test("ports of other services are blocked wherever they are", arguments: [22, 25, 5432, 6379, 11211])
    func ports(port: Int) throws {
        let fetcher = try testFetcher {
            $0.nameOverrides = ["open.test:\(port):127.0.0.1"]
        }
        #expect(failure(fetcher, "http://open.test:\(port)/")?.reason == .blockedAddress)
    }
}
