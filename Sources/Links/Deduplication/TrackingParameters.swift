/// The list of query parameters that only identify the referrer. `TrackingParameters.tsv` is compiled in.
public struct TrackingParameters: Sendable {
    /// The list compiled into this build.
    public static let standard = TrackingParameters(table: PackageResources.TrackingParameters_tsv)

    /// Increased with each change to the list. Data derived from an older version must be recomputed.
    public let version: Int

    private var everywhere = Names()
    private var bySite: [Site] = []
    /// Indexes into `bySite` by domain, with the domain's bytes in reverse order.
    private var sites = ByteTrie<Int>()

    private struct Site: Sendable {
        var domain: String
        var names = Names()
    }

    /// - Parameter table: the file's bytes; its first lines describe the format. Lines that do not match it are
    ///   ignored.
    init(table: [UInt8]) {
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n")
        version = lines.lazy.compactMap { $0.hasPrefix("# version: ") ? Int($0.dropFirst(11)) : nil }.first ?? 0
        for line in lines where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count == 3 else { continue }
            for domain in columns[0].split(separator: ",") { add(String(columns[1]), to: domain) }
        }
    }

    private mutating func add(_ name: String, to domain: Substring) {
        if domain == "*" { return everywhere.add(name) }
        let place = sites[domain.utf8.reversed()] ?? bySite.count
        if place == bySite.count {
            bySite.append(Site(domain: String(domain)))
            sites[domain.utf8.reversed()] = place
        }
        bySite[place].names.add(name)
    }

    /// The names as listed in the file, sorted; a trailing `*` matches any suffix.
    public var namesEverywhere: [String] { everywhere.listed.sorted() }

    /// Domains with their own parameters, most labels first, each with its names.
    public var namesBySite: [(domain: String, names: [String])] {
        bySite.sorted { left, right in
            let labels = (left.domain.split(separator: ".").count, right.domain.split(separator: ".").count)
            return labels.0 == labels.1 ? left.domain < right.domain : labels.0 > labels.1
        }.map { ($0.domain, $0.names.listed.sorted()) }
    }

    /// Removes tracking parameters. All other bytes stay unchanged, and so does any text that is not an http(s) URL.
    public func removed(from url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "?")), url.utf8.count <= AbsoluteURL.maximumBytes else { return url }
        var split = SplitURL(url)
        guard split.isWeb, let query = split.query else { return url }
        let matcher = matcher(for: (split.host ?? "").utf8)
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = parameters.filter { parameter in
            var name: [UInt8] = []
            Escapes.appendCanonical(
                Array(parameter.utf8.prefix { $0 != UInt8(ascii: "=") })[...], in: .query, to: &name)
            return !matcher.contains(name[...])
        }
        if kept.count == parameters.count { return url }
        split.query = kept.isEmpty ? nil : Substring(kept.joined(separator: "&"))
        return split.text
    }

    // MARK: - Parameters of a host

    /// The tracking parameters of one site combined with those of all sites.
    struct Matcher {
        fileprivate var everywhere: Names
        fileprivate var site: Names?

        /// - Parameter name: in canonical percent-encoding, in any case.
        func contains(_ name: ArraySlice<UInt8>) -> Bool { everywhere.contains(name) || site?.contains(name) ?? false }
    }

    /// - Parameter host: in any case. The nearest parent domain in the list applies.
    func matcher(for host: some BidirectionalCollection<UInt8>) -> Matcher {
        var found: Int?
        var node = sites.root
        for byte in host.reversed().drop(while: { $0 == UInt8(ascii: ".") }) {
            if byte == UInt8(ascii: ".") { found = node.value ?? found }
            guard let next = sites.child(of: node, lowercased(byte)) else {
                return Matcher(everywhere: everywhere, site: found.map { bySite[$0].names })
            }
            node = next
        }
        return Matcher(everywhere: everywhere, site: (node.value ?? found).map { bySite[$0].names })
    }

    fileprivate struct Names: Sendable {
        private enum Extent { case whole, beginning }

        private(set) var listed: [String] = []
        private var extents = ByteTrie<Extent>()

        mutating func add(_ name: String) {
            listed.append(name)
            let extent = name.hasSuffix("*") ? Extent.beginning : .whole
            var spelled: [UInt8] = []
            Escapes.appendCanonical(
                Array(name.utf8)[...].dropLast(extent == .beginning ? 1 : 0), in: .query, to: &spelled)
            extents[spelled.lazy.map(lowercased)] = extent
        }

        func contains(_ name: ArraySlice<UInt8>) -> Bool {
            var node = extents.root
            for byte in name {
                guard let next = extents.child(of: node, lowercased(byte)) else { return false }
                if next.value == .beginning { return true }
                node = next
            }
            return node.value == .whole
        }
    }
}

/// Lower-cases ASCII only, the way parameter names and hosts are compared.
func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

/// Returns `url` without tracking parameters and otherwise unchanged; applied to the final URL of a redirect chain.
public func removingTrackers(_ url: String) -> String { TrackingParameters.standard.removed(from: url) }
