import CCurl
import Glibc

/// Creates libcurl's sockets for one redirect chain, and checks the real address of every connection before it is
/// opened. A reused connection was checked when it was opened, for the same host name and under the same rules.
final class ConnectGuard {
    /// What libcurl's next sockets are for.
    enum Purpose {
        /// They connect to the site.
        case site
        /// They connect to the proxy, which the admin chose.
        case proxy
        /// Nothing: libcurl looks up a name, and its attempts to connect reveal the addresses.
        case lookup
    }

    private let rules: AddressRules
    private var purpose = Purpose.site
    /// The host of the current hop, as libcurl parses the URL.
    private var host = ""
    /// The reason the last blocked address of this hop was blocked.
    private(set) var rejection: AddressRules.Rejection?
    /// The number of sockets created in this hop.
    private(set) var opened = 0
    /// The allowed addresses that a lookup has found in this hop, in the order of the answer.
    private(set) var found: [NetworkAddress] = []

    init(rules: AddressRules) { self.rules = rules }

    func beginHop(to host: String, for purpose: Purpose) {
        self.host = host
        self.purpose = purpose
        rejection = nil
        opened = 0
        found = []
    }

    /// Returns a socket for `address`, or `CURL_SOCKET_BAD` before any packet is sent if there must be no connection.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        switch purpose {
        case .proxy: break
        case .site: if judge(address) == nil { return CCURL_SOCKET_BAD }
        case .lookup:
            if let allowed = judge(address), !found.contains(allowed) { found.append(allowed) }
            return CCURL_SOCKET_BAD
        }
        opened += 1
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    /// Returns the address if the rules allow it, and otherwise stores the reason.
    private func judge(_ address: UnsafeMutablePointer<curl_sockaddr>) -> NetworkAddress? {
        // libcurl allocates more than the 16 bytes that `addr` is declared with. `addrlen` has the real length.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
            let (target, port) = NetworkAddress.read(
                UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen))
        else {
            rejection = .family
            return nil
        }
        switch rules.verdict(on: target, port: port, host: host) {
        case .allowed: return target
        case .blocked(let reason):
            rejection = reason
            return nil
        }
    }
}

/// libcurl's open-socket callback; `user` is the chain's `ConnectGuard`.
let openThroughGuard: curl_opensocket_callback = { user, _, address in
    guard let user, let address else { return CCURL_SOCKET_BAD }
    return Unmanaged<ConnectGuard>.fromOpaque(user).takeUnretainedValue().open(address)
}
