/// Decides whether an address and port may be connected to. Pure: the connect hook asks, with the address the socket is
/// about to use, so that no spelling, no DNS answer and no redirect comes in between.
public struct AddressRules: Sendable, Equatable {
    public enum Verdict: Equatable, Sendable {
        case allowed
        case refused(Refusal)
    }

    public enum Refusal: Equatable, Sendable {
        case address(NetworkAddress, SpecialUse)
        case port(UInt16)
        /// A socket that is neither IPv4 nor IPv6.
        case family
        /// A name that by definition means this machine; judged only where a proxy does the looking up.
        case name(String)

        /// For the admin; to users a refused address looks like an unreachable one.
        public var sentence: String {
            switch self {
            case .address(let address, let use): "The address \(address) is not fetched: it is for \(use.rawValue)."
            case .port(let port): "Port \(port) is not fetched: it does not belong to web sites."
            case .family: "Only IPv4 and IPv6 are fetched."
            case .name(let name): "The name \(name) is not fetched: it belongs to this machine or its network."
            }
        }
    }

    public var allowing: AllowList

    public init(allowing: AllowList = AllowList()) { self.allowing = allowing }

    /// - Parameter host: the host name of the URL the connection is for; only entries of the allow list look at it.
    public func judge(_ address: NetworkAddress, port: UInt16, host: String) -> Verdict {
        switch allowing.opening(of: address, port: port, host: host) {
        case .addressAndPort:
            return .allowed
        case .address:
            return SpecialNetworks.deniedPorts.contains(port) ? .refused(.port(port)) : .allowed
        case .nothing:
            if let use = AddressRules.specialUse(of: address) { return .refused(.address(address, use)) }
            return SpecialNetworks.deniedPorts.contains(port) ? .refused(.port(port)) : .allowed
        }
    }

    /// What the address is for, or nil for the open web.
    public static func specialUse(of address: NetworkAddress) -> SpecialUse? {
        if let row = SpecialNetworks.all.first(where: { $0.network.contains(address) }) { return row.use }
        if case .v6 = address, SpecialNetworks.globalIPv6?.contains(address) != true { return .reserved }
        return nil
    }

    /// For fetches through a proxy, where the connected address is the proxy's: judges what can be told from the URL,
    /// that is addresses written out, ports, and names that always mean a machine of one's own.
    func judgeBeforeProxy(_ wire: CurlURL) -> Verdict {
        if let address = NetworkAddress(wire.host) { return judge(address, port: wire.port, host: wire.host) }
        let opening = allowing.opening(ofName: wire.host, port: wire.port)
        if opening == .addressAndPort { return .allowed }
        let name = AllowList.normalized(wire.asciiHost)
        if opening == .nothing, AddressRules.localNames.contains(where: { name == $0 || name.hasSuffix("." + $0) }) {
            return .refused(.name(name))
        }
        return SpecialNetworks.deniedPorts.contains(wire.port) ? .refused(.port(wire.port)) : .allowed
    }

    /// Whether a URL says by itself that it leads to this machine or its network, or is none: an address written out, or
    /// `localhost`. Nothing is looked up.
    public func refusesByItself(_ url: String) -> Bool {
        guard let wire = try? CurlURL(url) else { return true }
        if let address = NetworkAddress(wire.host) { return judge(address, port: wire.port, host: wire.host) != .allowed }
        return wire.isLocalhost && allowing.opening(ofName: wire.asciiHost, port: wire.port) == .nothing
    }

    /// Names that never leave the machine or its network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), and the
    /// metadata service's.
    private static let localNames = ["localhost", "localdomain", "local", "internal", "home.arpa", "lan", "intranet"]
}
