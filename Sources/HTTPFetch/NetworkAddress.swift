import Glibc

/// An IPv4 or IPv6 address as a number: one value, whatever its spelling was.
public enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt128)

    /// An address in its standard spelling: dotted decimal, or RFC 4291 without brackets and zone.
    public init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = .v4(UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = .v6(NetworkAddress.number(six))
        } else {
            return nil
        }
    }

    /// The address and port of a socket address of `length` bytes; nil for other families and short structures.
    static func read(_ pointer: UnsafeRawPointer, length: Int) -> (address: NetworkAddress, port: UInt16)? {
        guard length >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let socket = pointer.loadUnaligned(as: sockaddr_in.self)
            return (.v4(UInt32(bigEndian: socket.sin_addr.s_addr)), UInt16(bigEndian: socket.sin_port))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let socket = pointer.loadUnaligned(as: sockaddr_in6.self)
            return (.v6(number(socket.sin6_addr)), UInt16(bigEndian: socket.sin6_port))
        default:
            return nil
        }
    }

    private static func number(_ address: in6_addr) -> UInt128 {
        withUnsafeBytes(of: address) { bytes in bytes.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}

extension NetworkAddress: CustomStringConvertible {
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch self {
        case .v4(let number):
            var four = in_addr(s_addr: number.bigEndian)
            inet_ntop(AF_INET, &four, &text, socklen_t(text.count))
        case .v6(let number):
            var big = number.bigEndian
            inet_ntop(AF_INET6, &big, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// All addresses that share their first bits.
public struct Network: Hashable, Sendable {
    public let first: NetworkAddress
    /// 0...32 for IPv4, 0...128 for IPv6.
    public let prefix: Int

    /// `address/prefix`. Bits after the prefix are ignored.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = NetworkAddress(String(parts[0])), let prefix = Int(parts[1]) else {
            return nil
        }
        self.init(address, prefix: prefix)
    }

    /// Nil when the prefix does not fit the family.
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

    // A shift by the full width gives 0 in Swift, so prefix 0 needs no case of its own.
    private static func mask4(_ prefix: Int) -> UInt32 { UInt32.max << (32 - prefix) }
    private static func mask6(_ prefix: Int) -> UInt128 { UInt128.max << (128 - prefix) }
}
