import CCurl
import Glibc

/// Creates libcurl's sockets for one redirect chain, and checks the real address of every connection before it is
/// opened. A reused connection was checked when it was opened, for the same host name and under the same rules.
final class ConnectGuard {
    private let rules: AddressRules
    /// With a proxy every socket connects to the proxy, which the admin chose.
    private let isProxied: Bool
    /// The host of the current hop, as libcurl parses the URL.
    private var host = ""
    /// The reason the last blocked address of this hop was blocked.
    private(set) var rejection: AddressRules.Rejection?
    /// The number of sockets created in this hop.
    private(set) var opened = 0

    init(rules: AddressRules, isProxied: Bool) {
        self.rules = rules
        self.isProxied = isProxied
    }

    func beginHop(to host: String) {
        self.host = host
        rejection = nil
        opened = 0
    }

    /// Returns a socket for `address`, or `CURL_SOCKET_BAD` before any packet is sent if the rules block it.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !isProxied, case .blocked(let reason) = verdict(on: address) {
            rejection = reason
            return CCURL_SOCKET_BAD
        }
        opened += 1
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    private func verdict(on address: UnsafeMutablePointer<curl_sockaddr>) -> AddressRules.Verdict {
        // libcurl allocates more than the 16 bytes that `addr` is declared with. `addrlen` has the real length.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return .blocked(.family) }
        let bytes = UnsafeRawPointer(address) + offset
        guard let (target, port) = NetworkAddress.read(bytes, length: Int(address.pointee.addrlen)) else {
            return .blocked(.family)
        }
        return rules.verdict(on: target, port: port, host: host)
    }
}

/// libcurl's open-socket callback; `user` is the chain's `ConnectGuard`.
let openThroughGuard: curl_opensocket_callback = { user, _, address in
    guard let user, let address else { return CCURL_SOCKET_BAD }
    return Unmanaged<ConnectGuard>.fromOpaque(user).takeUnretainedValue().open(address)
}
