import CCurl
import Glibc
import Testing

@testable import HTTPFetch

/// Calls the hook like libcurl, with the socket address that libcurl would pass.
@Suite("HTTPFetch / connect guard")
struct ConnectGuardTests {
    /// Calls the hook and closes the socket it returns. Returns true when there was one.
    func opens(
        _ connectGuard: ConnectGuard, _ text: String, port: UInt16 = 80, family: Int32? = nil
    ) throws -> Bool {
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
        let socket = openThroughGuard(Unmanaged.passUnretained(connectGuard).toOpaque(), CURLSOCKTYPE_IPCXN, request)
        if socket != CCURL_SOCKET_BAD { close(socket) }
        return socket != CCURL_SOCKET_BAD
    }

    @Test("blocked addresses get no socket, and the reason is stored", arguments: AddressRulesTests.blocked)
    func refuses(text: String, use: SpecialUse) throws {
        let connectGuard = ConnectGuard(rules: AddressRules())
        connectGuard.beginHop(to: "h.test", for: .site)
        #expect(try !opens(connectGuard, text))
        #expect(connectGuard.rejection == .address(try #require(NetworkAddress(text)), use))
        #expect(connectGuard.opened == 0)
    }

    @Test("public addresses get an unconnected socket", arguments: ["8.8.8.8", "2606:4700::1111"])
    func opensOthers(text: String) throws {
        let connectGuard = ConnectGuard(rules: AddressRules())
        connectGuard.beginHop(to: "h.test", for: .site)
        #expect(try opens(connectGuard, text, port: 443))
        #expect(try !opens(connectGuard, text, port: 25))
        #expect(connectGuard.rejection == .port(25))
    }

    @Test("a host of the allow list allows connections to that host only")
    func hostEntry() throws {
        let connectGuard = ConnectGuard(rules: AddressRules(allowing: try AllowList("wiki.test")))
        connectGuard.beginHop(to: "wiki.test", for: .site)
        #expect(try opens(connectGuard, "10.0.0.1"))
        connectGuard.beginHop(to: "evil.test", for: .site)
        #expect(try !opens(connectGuard, "10.0.0.1"))
    }

    @Test("families other than IPv4 and IPv6 get no socket")
    func families() throws {
        let connectGuard = ConnectGuard(rules: AddressRules())
        #expect(try !opens(connectGuard, "8.8.8.8", family: AF_UNIX))
        #expect(connectGuard.rejection == .family)
    }

    @Test("a lookup gets no socket, and stores the allowed addresses")
    func lookup() throws {
        let connectGuard = ConnectGuard(rules: AddressRules())
        connectGuard.beginHop(to: "h.test", for: .lookup)
        for text in ["10.0.0.1", "2606:4700::1111", "8.8.8.8", "8.8.8.8"] { #expect(try !opens(connectGuard, text)) }
        #expect(connectGuard.found == [NetworkAddress("2606:4700::1111"), NetworkAddress("8.8.8.8")])
        #expect(connectGuard.opened == 0)
        connectGuard.beginHop(to: "h.test", for: .proxy)
        #expect(connectGuard.found.isEmpty)
        #expect(try opens(connectGuard, "10.0.0.1"))
    }
}
