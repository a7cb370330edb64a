import Glibc

/// An IPv4 or IPv6 address as a number, independent of its spelling.
public enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt128)

    /// Parses the standard spelling: dotted decimal, or RFC 4291 without brackets and zone.
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

    /// Returns the address and port of a socket address of `length` bytes, or nil for other families and short
    /// structures.
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
