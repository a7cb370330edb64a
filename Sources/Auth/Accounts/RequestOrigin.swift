import Crypto

extension Accounts {
    /// The origin of a request. It is stored with sessions and used to count attempts.
    public struct RequestOrigin: Sendable {
        public let userAgent: String?
        public let address: String?

        public init(userAgent: String?, address: String?) {
            self.userAgent = userAgent.map { String($0.prefix(500)) }
            self.address = address
        }

        /// The unit by which attempts are counted: an IPv4 address, or the /64 IPv6 network of one subscriber.
        public var network: String {
            guard let address, address.utf8.contains(UInt8(ascii: ":")) else { return address ?? "local" }
            // nginx writes IPv6 addresses in their short form. `::` stands for the missing groups of zeros.
            let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
            var groups = halves[0].split(separator: ":").map { String($0) }
            if halves.count == 2 {
                let tail = halves[1].split(separator: ":").map { String($0) }
                groups += Array(repeating: "0", count: max(0, 8 - groups.count - tail.count)) + tail
            }
            return groups.prefix(4).joined(separator: ":") + "::/64"
        }

        /// An identifier of the device: SHA-256 of network and user agent, in hexadecimal.
        var device: String { Digest.hex(Digest.sha256("\(network)\n\(userAgent ?? "")".utf8)) }
    }
}
