/// Decides whether a connection to an address and port is allowed. Pure: the connect hook calls it with the address
/// that the socket is about to use, so no spelling, DNS response or redirect can bypass it.
public struct AddressRules: Sendable, Equatable {
    public enum Verdict: Equatable, Sendable {
        case allowed
        case blocked(Rejection)
    }

    public enum Rejection: Equatable, Sendable {
        case address(NetworkAddress, SpecialUse)
        case port(UInt16)
        /// The socket is neither IPv4 nor IPv6.
        case family
        /// A name that by definition means this machine or its network. Checked only with a proxy.
        case name(String)

        /// One sentence for the admin. To users a blocked address looks like an unreachable one.
        public var sentence: String {
            switch self {
            case .address(let address, let use): "The address \(address) is blocked (\(use.rawValue))."
            case .port(let port): "Port \(port) is blocked because web sites do not use it."
            case .family: "Only IPv4 and IPv6 addresses can be fetched."
            case .name(let name): "The name \(name) is blocked because it belongs to this machine or its network."
            }
        }
    }

    public var allowing: AllowList

    public init(allowing: AllowList = AllowList()) { self.allowing = allowing }

    /// - Parameter host: the host name of the URL. Only entries of the allow list use it.
    public func verdict(on address: NetworkAddress, port: UInt16, host: String) -> Verdict {
        switch allowing.opening(of: address, port: port, host: host) {
        case .addressAndPort:
            return .allowed
        case .address:
            return SpecialNetworks.deniedPorts.contains(port) ? .blocked(.port(port)) : .allowed
        case .nothing:
            if let use = AddressRules.specialUse(of: address) { return .blocked(.address(address, use)) }
            return SpecialNetworks.deniedPorts.contains(port) ? .blocked(.port(port)) : .allowed
        }
    }

    /// The special use of an address, or nil for an address of the public internet.
    public static func specialUse(of address: NetworkAddress) -> SpecialUse? {
        if let row = SpecialNetworks.all.first(where: { $0.network.contains(address) }) { return row.use }
        if case .v6 = address, SpecialNetworks.globalIPv6?.contains(address) != true { return .reserved }
        return nil
    }

    /// Checks a URL that is fetched through a proxy, before a name is looked up here or by the proxy. Covers literal
    /// addresses, ports and names that always mean a local machine.
    func verdictBeforeProxy(_ url: CurlURL) -> Verdict {
        if let address = NetworkAddress(url.host) { return verdict(on: address, port: url.port, host: url.host) }
        let opening = allowing.opening(ofName: url.host, port: url.port)
        if opening == .addressAndPort { return .allowed }
        let name = AllowList.normalized(url.asciiHost)
        if opening == .nothing, AddressRules.localNames.contains(where: { name == $0 || name.hasSuffix("." + $0) }) {
            return .blocked(.name(name))
        }
        return SpecialNetworks.deniedPorts.contains(url.port) ? .blocked(.port(url.port)) : .allowed
    }

    /// Whether a URL is invalid or evidently leads to this machine or its network: by a literal address or `localhost`.
    /// Looks up no names.
    public func blocksURL(_ url: String) -> Bool {
        guard let url = try? CurlURL(url) else { return true }
        if let address = NetworkAddress(url.host) {
            return verdict(on: address, port: url.port, host: url.host) != .allowed
        }
        return url.isLocalhost && allowing.opening(ofName: url.asciiHost, port: url.port) == .nothing
    }

    /// Names that are never resolved outside the machine or its network (RFC 6761, RFC 6762, RFC 8375, ICANN's
    /// `internal`), and names of metadata services.
    private static let localNames = ["localhost", "localdomain", "local", "internal", "home.arpa", "lan", "intranet"]
}
