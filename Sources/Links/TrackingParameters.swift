/// The list of query parameters that tell who sent a reader and nothing else: `TrackingParameters.tsv`, compiled in.
public struct TrackingParameters: Sendable {
    /// The list this build came with.
    public static let standard = TrackingParameters(table: PackageResources.TrackingParameters_tsv)

    /// Raised with every change to the list; what was made with an older one is made anew.
    public let version: Int

    fileprivate struct Names: Sendable {
        var whole: Set<String> = []
        var prefixes: [String] = []

        func contain(_ name: String) -> Bool { whole.contains(name) || prefixes.contains(where: name.hasPrefix) }

        var listed: [String] { (whole + prefixes.map { $0 + "*" }).sorted() }
    }

    private var everywhere = Names()
    private var bySite: [String: Names] = [:]

    /// - Parameter table: the file's bytes; its first lines tell the format. Lines that do not follow it are left out.
    init(table: [UInt8]) {
        var version = 0
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("# version: ") { version = Int(line.dropFirst(11)) ?? 0 }
            let columns = line.split(separator: "\t")
            guard !line.hasPrefix("#"), columns.count == 3 else { continue }
            for site in columns[0].split(separator: ",") {
                if site == "*" {
                    TrackingParameters.add(columns[1], to: &everywhere)
                } else {
                    TrackingParameters.add(columns[1], to: &bySite[String(site), default: Names()])
                }
            }
        }
        self.version = version
    }

    private static func add(_ name: Substring, to names: inout Names) {
        if name.hasSuffix("*") {
            names.prefixes.append(String(name.dropLast()))
        } else {
            names.whole.insert(String(name))
        }
    }

    /// The names as the file has them, in order; a `*` at the end stands for any rest.
    public var namesEverywhere: [String] { everywhere.listed }

    /// Domains with marks of their own, those with the most labels first, each with its names.
    public var namesBySite: [(domain: String, names: [String])] {
        bySite.sorted { left, right in
            let labels = (left.key.split(separator: ".").count, right.key.split(separator: ".").count)
            return labels.0 == labels.1 ? left.key < right.key : labels.0 > labels.1
        }.map { ($0.key, $0.value.listed) }
    }

    /// Whether a parameter of this name is a mark on this host.
    /// - Parameters:
    ///   - name: percent-decoded, in any case.
    ///   - host: in any case; its parent domains count too.
    public func isTracking(_ name: String, host: String = "") -> Bool {
        let name = name.lowercased()
        return everywhere.contain(name) || site(of: host)?.contain(name) ?? false
    }

    /// The marks of a site and of all sites.
    struct Marks {
        fileprivate var everywhere: Names
        fileprivate var site: Names?

        /// - Parameter name: in canonical escapes.
        func contain(_ name: ArraySlice<UInt8>) -> Bool {
            let name = String(decoding: Escapes.decoded(name), as: UTF8.self).lowercased()
            return everywhere.contain(name) || site?.contain(name) ?? false
        }
    }

    func marks(on host: String) -> Marks { Marks(everywhere: everywhere, site: site(of: host)) }

    /// The URL without tracking parameters; everything else stays byte for byte, and so does all that is no http(s) URL.
    public func removed(from url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "?")), url.utf8.count <= AbsoluteURL.maximumBytes else { return url }
        var split = SplitURL(url)
        guard split.isWeb, let query = split.query else { return url }
        let site = split.host.flatMap { self.site(of: String($0)) }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = parameters.filter { parameter in
            let name = TrackingParameters.name(of: parameter)
            return !everywhere.contain(name) && site?.contain(name) != true
        }
        if kept.count == parameters.count { return url }
        split.query = kept.isEmpty ? nil : Substring(kept.joined(separator: "&"))
        return split.text
    }

    // MARK: - Steps

    /// The entry of the host or of the nearest of its parent domains.
    private func site(of host: String) -> Names? {
        var domain = Substring(host.lowercased())
        while !domain.isEmpty {
            if let names = bySite[String(domain)] { return names }
            guard let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            domain = domain[domain.utf8.index(after: dot)...]
        }
        return nil
    }

    /// What stands before the `=`, percent-decoded and in lower case.
    private static func name(of parameter: Substring) -> String {
        let spelled = parameter.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard spelled.contains(UInt8(ascii: "%")) else { return String(Substring(spelled)).lowercased() }
        var bytes: [UInt8] = []
        var rest = spelled[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), let value = escape(rest.dropFirst().prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    private static func escape(_ digits: Substring.UTF8View.SubSequence) -> UInt8? {
        guard digits.count == 2, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
        return UInt8(Substring(digits), radix: 16)
    }
}

/// `url` without tracking parameters and with nothing else changed: what makes a resolved URL of where a chain ended.
public func removingTrackers(_ url: String) -> String { TrackingParameters.standard.removed(from: url) }
