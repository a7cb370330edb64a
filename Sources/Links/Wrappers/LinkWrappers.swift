/// The list of URLs that contain their target URL. `LinkWrappers.tsv`, which documents its format, is compiled in.
public struct LinkWrappers: Sendable {
    /// The list compiled into this build.
    public static let standard = LinkWrappers(table: PackageResources.LinkWrappers_tsv)

    private var everywhere: [Row] = []
    /// Rows by domain, with the domain's bytes in reverse order.
    private var byDomain = ByteTrie<[Row]>()
    /// Rows by the label before a wildcard ending.
    private var byLabel: [String: [Row]] = [:]
    /// All parameter names that rows use.
    private var names: Set<String> = []

    private struct Row: Sendable {
        var paths: [PathPattern] = []
        var locations: [TargetLocation] = []
    }

    /// - Parameter table: the file's bytes. Lines that do not match the format are ignored.
    init(table: [UInt8]) {
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count == 4 else { continue }
            let row = Row(
                paths: columns[1].split(separator: ",").map(PathPattern.init),
                locations: columns[2].split(separator: ",").map(TargetLocation.init))
            for case .parameter(let name, _) in row.locations { names.insert(name) }
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

    /// Returns the target that a URL contains; nil if only a request can tell.
    public func target(of url: String) -> String? {
        guard url.utf8.count <= AbsoluteURL.maximumBytes else { return nil }
        let split = SplitURL(url)
        guard split.isWeb, let host = split.host, split.query != nil || split.path.utf8.count > 8 else { return nil }
        let wrapper = Wrapper(split, names: names)
        for row in rows(of: host) + everywhere {
            for pattern in row.paths {
                guard let rest = pattern.rest(of: wrapper) else { continue }
                for location in row.locations {
                    if location == .nothing { return nil }
                    guard let found = location.target(in: wrapper, after: rest), found != url else { continue }
                    return location.keepsFragment ? Self.withFragment(of: split, found) : found
                }
            }
        }
        return nil
    }

    /// Keeps the wrapper's fragment if the target has none, as browsers do for redirects.
    private static func withFragment(of wrapper: SplitURL, _ target: String) -> String {
        guard let fragment = wrapper.fragment, !target.utf8.contains(UInt8(ascii: "#")) else { return target }
        return AbsoluteURL.resolve("\(target)#\(fragment)") ?? target
    }

    /// Returns the rows for a host: those of the full name first, then those of its parent domains.
    private func rows(of host: Substring) -> [Row] {
        var found: [Row] = []
        var node: ByteTrie<[Row]>.Node? = byDomain.root
        for byte in host.utf8.reversed().drop(while: { $0 == UInt8(ascii: ".") }) {
            guard let here = node else { break }
            if byte == UInt8(ascii: "."), let rows = here.value { found = rows + found }
            node = byDomain.child(of: here, lowercased(byte))
        }
        if let rows = node?.value { found = rows + found }
        let labels = host.lowercased().split(separator: ".")
        // `google.co.uk`: country endings have one or two short labels.
        for (place, label) in labels.enumerated() where (1...2).contains(labels.count - place - 1) {
            guard let rows = byLabel[String(label)], labels[(place + 1)...].allSatisfy({ $0.utf8.count <= 3 }) else {
                continue
            }
            found += rows
        }
        return found
    }
}

/// A URL that may contain another one, parsed once for all rows.
private struct Wrapper {
    let url: SplitURL
    /// The path in lower case, without a trailing slash or script extension; empty if the path is too long for a rule.
    let normalizedPath: String
    /// Whether the path contains a plain URL: an archive, or another service that displays other sites' pages.
    var containsPlainURL: Bool { normalizedPath.contains("http:/") || normalizedPath.contains("https:/") }
    /// The values of the parameters that rows use, in order.
    let values: [String: [ArraySlice<UInt8>]]

    private static let maximumNameBytes = 32
    private static let maximumPathBytes = 2_000
    private static let maximumParameters = 1_000
    private static let scriptExtensions: Set<Substring> = [
        "php", "asp", "aspx", "html", "htm", "cgi", "pl", "do", "jsp", "ashx", "cfm",
    ]

    init(_ url: SplitURL, names: Set<String>) {
        self.url = url
        var normalizedPath = url.path.utf8.count <= Self.maximumPathBytes ? url.path.lowercased() : ""
        if normalizedPath.utf8.count > 1, normalizedPath.hasSuffix("/") { normalizedPath.removeLast() }
        if let dot = normalizedPath.lastIndex(of: "."),
            Self.scriptExtensions.contains(normalizedPath[normalizedPath.index(after: dot)...])
        {
            normalizedPath = String(normalizedPath[..<dot])
        }
        self.normalizedPath = normalizedPath
        var values: [String: [ArraySlice<UInt8>]] = [:]
        for parameter in Array((url.query ?? "").utf8).split(
            separator: UInt8(ascii: "&"), maxSplits: Self.maximumParameters)
        {
            guard let sign = parameter.prefix(Self.maximumNameBytes + 1).firstIndex(of: UInt8(ascii: "=")) else {
                continue
            }
            let name = String(decoding: parameter[..<sign].map(lowercased), as: UTF8.self)
            if names.contains(name) { values[name, default: []].append(parameter[(sign + 1)...]) }
        }
        self.values = values
    }
}

/// The second column: the paths that a row applies to.
private enum PathPattern: Sendable {
    case any
    case whole(String)
    case beginning(String)
    case last(String)

    init(_ text: Substring) {
        self =
            if text == "*" { .any } else if text.hasPrefix("…/") {
                .last("/" + text.dropFirst(2).lowercased())
            } else if text.hasSuffix("/") {
                .beginning(text.lowercased())
            } else { .whole(text.lowercased()) }
    }

    /// Returns the part of the path after the pattern; nil if the path does not match.
    func rest(of wrapper: Wrapper) -> Substring? {
        let path = wrapper.url.path
        switch self {
        case .any: return path
        case .beginning(let text):
            let head = path.utf8.prefix(text.utf8.count)
            guard head.count == text.utf8.count, zip(head, text.utf8).allSatisfy({ lowercased($0) == $1 }) else {
                return nil
            }
            return path[head.endIndex...]
        // Also matches a path with a script extension if the row contains that extension.
        case .whole(let text):
            return wrapper.normalizedPath == text || path.utf8.count == text.utf8.count && path.lowercased() == text
                ? "" : nil
        case .last(let text): return wrapper.normalizedPath.hasSuffix(text) && !wrapper.containsPlainURL ? "" : nil
        }
    }
}

/// The third column: the location of the target within the URL.
private enum TargetLocation: Sendable, Equatable {
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
            self =
                text.hasPrefix("/")
                ? .segment(text.dropFirst().lowercased())
                : .parameter(words[0].lowercased(), isProofpoint: words.count > 1)
        }
    }

    /// Whether the fragment may belong to the target. Viewers of copies add fragments for their own use.
    var keepsFragment: Bool { if case .rest = self { false } else { true } }

    /// - Parameter rest: the part of the path after the row's path.
    func target(in wrapper: Wrapper, after rest: Substring) -> String? {
        switch self {
        case .nothing: return nil
        case .query: return (wrapper.url.query?.utf8).flatMap { WrappedURL.read(Array($0)) }
        case .parameter(let name, let isProofpoint):
            for value in wrapper.values[name] ?? [] {
                // A value is always encoded once, even if it does not look encoded.
                let found = WrappedURL.read(
                    isProofpoint ? WrappedURL.fromProofpoint(Array(value)) : Escapes.decoded(value))
                if let found { return found }
            }
            return nil
        case .path:
            if let found = Self.plainURL(in: rest, of: wrapper.url) { return found }
            for part in rest.split(separator: "/") { if let found = WrappedURL.read(Array(part.utf8)) { return found } }
            return nil
        case .segment(let beginning):
            for part in rest.split(separator: "/") where part.lowercased().hasPrefix(beginning) {
                if let found = WrappedURL.read(Array(part.utf8.dropFirst(beginning.utf8.count))) { return found }
            }
            return nil
        case .rest(let scheme):
            // Requires a host name; otherwise this is one of the service's own pages.
            guard rest.prefix(while: { $0 != "/" }).contains(".") else { return nil }
            return WrappedURL.read(Array("\(scheme)://\(rest)\(Self.query(of: wrapper.url))".utf8))
        }
    }

    /// Returns a plain URL in a path, up to the end: `/dlg/https://example.org/page`.
    private static func plainURL(in rest: Substring, of url: SplitURL) -> String? {
        guard let start = ["http:/", "https:/"].compactMap({ rest.firstRange(of: $0)?.lowerBound }).min() else {
            return nil
        }
        return WrappedURL.read(Array("\(rest[start...])\(query(of: url))".utf8))
    }

    private static func query(of url: SplitURL) -> String { url.query.map { "?\($0)" } ?? "" }
}
