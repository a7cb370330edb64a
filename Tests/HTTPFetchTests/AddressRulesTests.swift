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
    private func opens(_ gate: ConnectGate, _ text: String, port: UInt16 = 80, family: Int32? = nil) throws -> Bool {
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
        let gate = ConnectGate(rules: AddressRules(), isProxied: false)
        gate.beginHop(to: "h.test")
        #expect(try !opens(gate, text))
        #expect(gate.refusal == .address(try #require(NetworkAddress(text)), use))
        #expect(gate.opened == 0)
    }

    @Test("open addresses get a socket that is not connected to anything yet", arguments: ["8.8.8.8", "2606:4700::1111"])
    func opensOthers(text: String) throws {
        let gate = ConnectGate(rules: AddressRules(), isProxied: false)
        gate.beginHop(to: "h.test")
        #expect(try opens(gate, text, port: 443))
        #expect(try !opens(gate, text, port: 25))
        #expect(gate.refusal == .port(25))
    }

    @Test("a host of the allow list opens only that host's connections")
    func hostEntry() throws {
        let gate = ConnectGate(rules: AddressRules(allowing: try AllowList("wiki.test")), isProxied: false)
        gate.beginHop(to: "wiki.test")
        #expect(try opens(gate, "10.0.0.1"))
        gate.beginHop(to: "evil.test")
        #expect(try !opens(gate, "10.0.0.1"))
    }

    @Test("families other than IPv4 and IPv6 get no socket")
    func families() throws {
        let gate = ConnectGate(rules: AddressRules(), isProxied: false)
        #expect(try !opens(gate, "8.8.8.8", family: AF_UNIX))
        #expect(gate.refusal == .family)
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

    @Test("odd spellings of this machine are judged by where they lead", arguments: [
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "0", "0x0",
        "localhost", "LOCALHOST", "x.localhost", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "user@127.0.0.1", "good.test:pass@127.0.0.1",
        "good.test%40@127.0.0.1", "%31%32%37.0.0.1", "１２７.0.0.1", "127。0。0。1", "[::]", "0.0.0.0", "127.127.127.127",
    ])
    func spellings(host: String) throws {
        let site = LoopbackSite { _, client in client.answer(body: "inside") }
        let error = failure(try testFetcher { $0.rules = AddressRules() }, "http://\(host):\(site.port)/")
        #expect(error?.reason == .blockedAddress || error?.reason == .invalidURL)
        #expect(site.requests.isEmpty)
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
