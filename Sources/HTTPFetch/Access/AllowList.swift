/// Private targets that the admin allows (`LECTERN_FETCH_ALLOW`): names, addresses and networks, each with an optional
/// port. An entry allows exactly what it names.
public struct AllowList: Sendable, Equatable {
    /// The target of one entry.
    enum Target: Equatable, Sendable {
        /// Every address of this host, for connections to this host.
        case host(String)
        /// A network. A single address is a network of one address.
        case network(Network)
    }

    struct Entry: Equatable, Sendable {
        var target: Target
        /// Nil allows every port that is not on the deny list.
        var port: UInt16?
    }

    /// An entry that cannot be parsed.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        public let entry: String
        public var description: String {
            "'\(entry)' is not a host, address or network with an optional :port (IPv6 with a port needs brackets)"
        }
    }

    var entries: [Entry] = []

    /// A list that allows nothing.
    public init() {}

    /// - Parameter text: entries separated by commas, such as `intranet.example:8080, 10.0.0.0/8, [fd00::1]:80`.
    public init(_ text: String) throws(Malformed) {
        for part in text.split(separator: ",") {
            let entry = part.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
            if !entry.isEmpty { entries.append(try AllowList.parse(String(entry))) }
        }
    }

    /// What the list allows for a connection.
    enum Opening { case nothing, address, addressAndPort }

    func opening(of address: NetworkAddress, port: UInt16, host: String) -> Opening {
        let host = AllowList.normalized(host)
        return opening(port: port) { target in
            switch target {
            case .host(let name): name == host
            case .network(let network): network.contains(address)
            }
        }
    }

    /// For a name that a proxy looks up, so that its address is unknown here.
    func opening(ofName host: String, port: UInt16) -> Opening {
        let target = Target.host(AllowList.normalized(host))
        return opening(port: port) { $0 == target }
    }

    private func opening(port: UInt16, where isNamed: (Target) -> Bool) -> Opening {
        var opening = Opening.nothing
        for entry in entries where isNamed(entry.target) {
            if entry.port == port { return .addressAndPort }
            if entry.port == nil { opening = .address }
        }
        return opening
    }

    // MARK: - Parsing

    private static func parse(_ entry: String) throws(Malformed) -> Entry {
        let (name, port) = try split(entry)
        if let network = Network(name) { return Entry(target: .network(network), port: port) }
        if let address = NetworkAddress(name) {
            let width = if case .v4 = address { 32 } else { 128 }
            guard let network = Network(address, prefix: width) else { throw Malformed(entry: entry) }
            return Entry(target: .network(network), port: port)
        }
        guard isHostName(name) else { throw Malformed(entry: entry) }
        return Entry(target: .host(normalized(name)), port: port)
    }

    /// Returns the name and the port of an entry. Brackets enclose an IPv6 address, with its prefix inside or after
    /// them.
    private static func split(_ entry: String) throws(Malformed) -> (name: String, port: UInt16?) {
        if entry.hasPrefix("["), let close = entry.firstIndex(of: "]") {
            let inside = entry[entry.index(after: entry.startIndex)..<close]
            let after = entry[entry.index(after: close)...].split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard inside.contains(":"), let prefix = after.first, prefix.isEmpty || prefix.hasPrefix("/") else {
                throw Malformed(entry: entry)
            }
            return (String(inside + prefix), try after.count == 2 ? number(after[1], in: entry) : nil)
        }
        let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (entry, nil)
        case 2: return (String(parts[0]), try number(parts[1], in: entry))
        default: return (entry, nil)  // IPv6 without brackets, and therefore without a port
        }
    }

    private static func number(_ text: Substring, in entry: String) throws(Malformed) -> UInt16 {
        guard let port = UInt16(text), port > 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Malformed(entry: entry)
        }
        return port
    }

    /// Accepts letters, digits, `-`, `_`, `.` and any non-ASCII letter. A last label of digits is a misspelled address.
    private static func isHostName(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        let allowed = text.unicodeScalars.allSatisfy {
            !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
        }
        guard allowed, let last = normalized(text).split(separator: ".").last else { return false }
        return !last.allSatisfy(\.isNumber) && !last.hasPrefix("0x")
    }

    /// Removes what does not matter when host names are compared: case and the root's dot.
    static func normalized(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
