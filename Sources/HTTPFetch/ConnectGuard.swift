import CCurl
import Glibc

/// Stands between libcurl and the sockets of one chain: every connection it opens passes here, with the address it will
/// really use. A connection that is reused has passed when it was opened, for the same host name and under the same rules.
final class ConnectGuard {
    private let rules: AddressRules
    /// With a proxy every socket is one to the proxy, which the admin chose.
    private let isProxied: Bool
    /// The host of the hop under way, as libcurl reads the URL.
    private var host = ""
    /// Why the last refused address of this hop was refused.
    private(set) var refusal: AddressRules.Refusal?
    /// Sockets given out in this hop.
    private(set) var opened = 0

    init(rules: AddressRules, isProxied: Bool) {
        self.rules = rules
        self.isProxied = isProxied
    }

    func beginHop(to host: String) {
        self.host = host
        refusal = nil
        opened = 0
    }

    /// A socket for `address`, or `CURL_SOCKET_BAD` before any packet where the rules refuse it.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !isProxied, case .refused(let why) = verdict(on: address) {
            refusal = why
            return CCURL_SOCKET_BAD
        }
        opened += 1
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    private func verdict(on address: UnsafeMutablePointer<curl_sockaddr>) -> AddressRules.Verdict {
        // libcurl allots more than the 16 bytes `addr` is declared with; `addrlen` says how many are meant.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return .refused(.family) }
        let bytes = UnsafeRawPointer(address) + offset
        guard let (target, port) = NetworkAddress.read(bytes, length: Int(address.pointee.addrlen)) else {
            return .refused(.family)
        }
        return rules.judge(target, port: port, host: host)
    }
}

/// libcurl's open-socket callback; `user` is the chain's `ConnectGuard`.
let openThroughGate: curl_opensocket_callback = { user, _, address in
    guard let user, let address else { return CCURL_SOCKET_BAD }
    return Unmanaged<ConnectGuard>.fromOpaque(user).takeUnretainedValue().open(address)
}
