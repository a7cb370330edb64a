/// The list of addresses that hold the place they lead to: `LinkWrappers.tsv`, compiled in, which tells its format.
public struct LinkWrappers: Sendable {
    /// The list this build came with.
    public static let standard = LinkWrappers(table: PackageResources.LinkWrappers_tsv)

    private var everywhere: [Row] = []
    /// By the domain, read from its end.
    private var byDomain = ByteTree<[Row]>()
    /// By the label before an ending that may be any.
    private var byLabel: [String: [Row]] = [:]

    private struct Row: Sendable {
        var paths: [PathPattern] = []
        var places: [Place] = []
    }

    /// - Parameter table: the file's bytes. Lines that do not follow its format are left out.
    init(table: [UInt8]) {
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count == 4 else { continue }
            let row = Row(paths: columns[1].split(separator: ",").map(PathPattern.init), places: columns[2].split(separator: ",").map(Place.init))
            for site in columns[0].split(separator: ",") { add(row, to: site) }
        }
    }

    private mutating func add(_ row: Row, to site: Substring) {
        if site == "*" {
            everywhere.append(row)
        } else if site.hasSuffix(".*") {
            byLabel[String(site.dropLast(2)), default: []].append(row)
        } else {
            byDomain[site.utf8.reversed()] = (byDomain[site.utf8.reversed()] ?? []) + [row]
        }
    }

    /// Where an address leads, as it says itself; nil for what has to be fetched to be known.
    public func target(of url: String) -> String? {
        guard url.utf8.count <= AbsoluteURL.maximumBytes else { return nil }
        let split = SplitURL(url)
        guard split.isWeb, let host = split.host, split.query != nil || split.path.utf8.count > 8 else { return nil }
        for row in rows(of: host) + everywhere {
            for pattern in row.paths {
                guard let rest = pattern.rest(of: split.path) else { continue }
                for place in row.places {
                    if place == .nothing { return nil }
                    if let found = place.address(in: split, behind: rest), found != url { return found }
                }
            }
        }
        return nil
    }

    /// Of a host, those of the whole name before those of its parents.
    private func rows(of host: Substring) -> [Row] {
        var found: [Row] = []
        var node: ByteTree<[Row]>.Node? = byDomain.root
        for byte in host.utf8.reversed().drop(while: { $0 == UInt8(ascii: ".") }) {
            guard let here = node else { break }
            if byte == UInt8(ascii: "."), let rows = here.value { found = rows + found }
            node = byDomain.child(of: here, lowercased(byte))
        }
        if let rows = node?.value { found = rows + found }
        let labels = host.lowercased().split(separator: ".")
        // `google.co.uk`: endings of countries have one or two short labels.
        for (place, label) in labels.enumerated() where (1...2).contains(labels.count - place - 1) {
            guard let rows = byLabel[String(label)], labels[(place + 1)...].allSatisfy({ $0.utf8.count <= 3 }) else { continue }
            found += rows
        }
        return found
    }
}

/// The second column: which paths a row is about.
private enum PathPattern: Sendable {
    case any
    case whole(String)
    case beginning(String)
    case last(String)

    init(_ text: Substring) {
        self =
            if text == "*" { .any } else if text.hasPrefix("…/") { .last(text.dropFirst(2).lowercased()) } else if text.hasSuffix("/") {
                .beginning(text.lowercased())
            } else { .whole(text.lowercased()) }
    }

    /// What of a path lies behind the pattern; nil where it is another path.
    func rest(of path: Substring) -> Substring? {
        switch self {
        case .any: return path
        case .beginning(let text):
            let head = path.utf8.prefix(text.utf8.count)
            guard head.count == text.utf8.count, zip(head, text.utf8).allSatisfy({ lowercased($0) == $1 }) else { return nil }
            return path[head.endIndex...]
        case .whole(let text): return Self.bare(path) == text || Self.withoutSlash(path).lowercased() == text ? "" : nil
        case .last(let text):
            let bare = Self.bare(path)
            return bare.hasSuffix("/" + text) ? "" : nil
        }
    }

    private static func withoutSlash(_ path: Substring) -> Substring { path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path }

    /// In small letters, without a slash or the ending of a script's name behind it.
    private static func bare(_ path: Substring) -> String {
        let path = withoutSlash(path.suffix(200)).lowercased()
        guard let dot = path.lastIndex(of: "."), scripts.contains(String(path[path.index(after: dot)...])) else { return path }
        return String(path[..<dot])
    }

    private static let scripts: Set<String> = ["php", "asp", "aspx", "html", "htm", "cgi", "pl", "do", "jsp", "ashx", "cfm"]
}

/// The third column: where in an address the other one stands.
private enum Place: Sendable, Equatable {
    case parameter(String, isProofpoint: Bool)
    case query
    case path
    case segment(String)
    case rest(scheme: String)
    case nothing

    init(_ text: Substring) {
        switch text {
        case "-": self = .nothing
        case "?": self = .query
        case "/": self = .path
        case "/http", "/https": self = .rest(scheme: String(text.dropFirst()))
        default:
            let words = text.split(separator: " ")
            self = text.hasPrefix("/") ? .segment(text.dropFirst().lowercased()) : .parameter(words[0].lowercased(), isProofpoint: words.count > 1)
        }
    }

    /// - Parameter rest: what of the path lies behind the row's.
    func address(in url: SplitURL, behind rest: Substring) -> String? {
        switch self {
        case .nothing: return nil
        case .query: return (url.query?.utf8).flatMap { HeldAddress.read(Array($0)) }
        case .parameter(let name, let isProofpoint):
            for parameter in (url.query ?? "").split(separator: "&") {
                guard let sign = parameter.utf8.firstIndex(of: UInt8(ascii: "=")), parameter[..<sign].lowercased() == name else { continue }
                let value = Array(parameter.utf8[parameter.utf8.index(after: sign)...])
                if let found = HeldAddress.read(isProofpoint ? HeldAddress.fromProofpoint(value) : value) { return found }
            }
            return nil
        case .path:
            if let found = Self.written(in: rest, of: url) { return found }
            for part in rest.split(separator: "/") { if let found = HeldAddress.read(Array(part.utf8)) { return found } }
            return nil
        case .segment(let beginning):
            for part in rest.split(separator: "/") where part.lowercased().hasPrefix(beginning) {
                if let found = HeldAddress.read(Array(part.utf8.dropFirst(beginning.utf8.count))) { return found }
            }
            return nil
        case .rest(let scheme):
            guard rest.contains(".") else { return nil }
            return HeldAddress.read(Array("\(scheme)://\(rest)\(url.query.map { "?\($0)" } ?? "")".utf8))
        }
    }

    /// An address that stands in a path as it is, to the end: `/dlg/https://example.org/page`.
    private static func written(in rest: Substring, of url: SplitURL) -> String? {
        for scheme in ["http:/", "https:/"] {
            guard rest.utf8.count > scheme.utf8.count, let start = rest.firstRange(of: scheme)?.lowerBound else { continue }
            return HeldAddress.read(Array("\(rest[start...])\(url.query.map { "?\($0)" } ?? "")".utf8))
        }
        return nil
    }
}
