/// All addresses with the same prefix.
public struct Network: Hashable, Sendable {
    public let first: NetworkAddress
    /// 0...32 for IPv4, 0...128 for IPv6.
    public let prefix: Int

    /// Parses `address/prefix`. Bits after the prefix are ignored.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = NetworkAddress(String(parts[0])), let prefix = Int(parts[1]) else {
            return nil
        }
        self.init(address, prefix: prefix)
    }

    /// Returns nil when the prefix is out of range for the address family.
    public init?(_ address: NetworkAddress, prefix: Int) {
        switch address {
        case .v4(let number):
            guard (0...32).contains(prefix) else { return nil }
            first = .v4(number & Network.mask4(prefix))
        case .v6(let number):
            guard (0...128).contains(prefix) else { return nil }
            first = .v6(number & Network.mask6(prefix))
        }
        self.prefix = prefix
    }

    public func contains(_ address: NetworkAddress) -> Bool {
        switch (address, first) {
        case (.v4(let number), .v4(let first)): number & Network.mask4(prefix) == first
        case (.v6(let number), .v6(let first)): number & Network.mask6(prefix) == first
        default: false
        }
    }

    // A shift by the full width results in 0 in Swift, so prefix 0 needs no special case.
    private static func mask4(_ prefix: Int) -> UInt32 { UInt32.max << (32 - prefix) }
    private static func mask6(_ prefix: Int) -> UInt128 { UInt128.max << (128 - prefix) }
}
