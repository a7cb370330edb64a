/// What two spellings of one page's address have in common: links of one user with equal keys are one link.
///
/// `rest.dedupe_key` of the database decides; this is the same in Swift, and tests hold the two against each other.
public struct DedupeKey: Sendable {
    /// A host name as IDNA looks it up, still in Unicode: case folded, compatibility forms unified, what nobody sees
    /// left out. Called for hosts beyond ASCII only.
    public typealias MapHost = @Sendable (String) -> String

    private let mapHost: MapHost
    private let trackers: TrackingParameters

    public init(trackers: TrackingParameters = .standard, mapHost: @escaping MapHost) {
        self.trackers = trackers
        self.mapHost = mapHost
    }

    /// The key of a URL: an https URL that is its own key. Nil for all that is no http(s) URL, and for what is longer
    /// than anybody reads.
    public func callAsFunction(_ url: String) -> String? {
        guard url.utf8.count <= AbsoluteURL.maximumBytes else { return nil }
        var rest = Self.trimmed(url)[...]
        guard Self.dropScheme(&rest) else { return nil }

        var fragment: ArraySlice<UInt8>?
        var query: ArraySlice<UInt8>?
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { (rest, fragment) = (rest[..<hash], rest[(hash + 1)...]) }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) { (rest, query) = (rest[..<mark], rest[(mark + 1)...]) }
        let pathStart = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? rest.endIndex

        guard let authority = authority(rest[..<pathStart]) else { return nil }
        var key = Array("https://".utf8)
        key += authority.text
        key += Self.path(rest[pathStart...])
        if let query { key += self.query(query, host: authority.host) }
        if let fragment { key += Self.fragment(fragment) }
        return String(decoding: key, as: UTF8.self)
    }

    // MARK: - The parts, in the order they stand

    /// Without blanks and controls around it, and without the line breaks and tabs that mail programs put into it.
    private static func trimmed(_ url: String) -> [UInt8] {
        var bytes = Array(url.utf8)[...]
        bytes = bytes.drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        guard bytes.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else { return Array(bytes) }
        return bytes.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// `http:` or `https:` in any case, with any number of slashes behind it, as browsers take it.
    private static func dropScheme(_ rest: inout ArraySlice<UInt8>) -> Bool {
        var end = rest.startIndex
        for letter in "http".utf8 {
            guard end < rest.endIndex, rest[end] | 0x20 == letter else { return false }
            end += 1
        }
        if end < rest.endIndex, rest[end] | 0x20 == UInt8(ascii: "s") { end += 1 }
        guard end < rest.endIndex, rest[end] == UInt8(ascii: ":") else { return false }
        rest = rest[(end + 1)...].drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return true
    }

    /// User, host and port, and the host alone as trackers know it.
    private func authority(_ text: ArraySlice<UInt8>) -> (text: [UInt8], host: String)? {
        var rest = text
        var user: [UInt8] = []
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            user = Self.user(rest[..<at])
            rest = rest[(at + 1)...]
        }
        let hostEnd: Int
        if rest.first == UInt8(ascii: "[") {
            guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = close + 1
        } else {
            hostEnd = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
        }
        guard let host = HostName.canonical(rest[..<hostEnd], mapHost), let port = Self.port(rest[hostEnd...]) else { return nil }
        return (user + host.utf8 + port, host)
    }

    /// `user:password@`, which may distinguish pages; nothing where both are empty.
    private static func user(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        func part(_ text: ArraySlice<UInt8>) -> [UInt8] {
            // What separates the parts of an authority is escaped inside of one.
            Escapes.canonical(text).flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "@"): Array("%40".utf8)
                case UInt8(ascii: ":"): Array("%3A".utf8)
                default: [byte]
                }
            }
        }
        var user = part(text[..<colon])
        let password = part(text[colon...].dropFirst())
        if !password.isEmpty { user += [UInt8(ascii: ":")] + password }
        return user.isEmpty ? [] : user + [UInt8(ascii: "@")]
    }

    /// `:port`, nothing for those of http and https; nil for what is no port.
    private static func port(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let colon = text.first else { return [] }
        guard colon == UInt8(ascii: ":") else { return nil }
        var port = 0
        for digit in text.dropFirst() {
            guard (0x30...0x39).contains(digit) else { return nil }
            port = port * 10 + Int(digit - 0x30)
            guard port <= 65_535 else { return nil }
        }
        return text.count == 1 || port == 80 || port == 443 ? [] : Array(":\(port)".utf8)
    }

    /// Escapes canonical, dot segments resolved, no slash at the end.
    private static func path(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = text
        if text.contains(UInt8(ascii: "\\")) {
            text = text.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }[...]
        }
        var path = Escapes.canonical(text)
        if hasDotSegment(path) { path = withoutDotSegments(path) }
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }

    private static func hasDotSegment(_ path: [UInt8]) -> Bool {
        for index in path.indices.dropLast() where path[index] == UInt8(ascii: "/") && path[index + 1] == UInt8(ascii: ".") {
            return true
        }
        return false
    }

    /// RFC 3986, 5.2.4. Empty segments count as segments.
    private static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.elementsEqual(".".utf8) { continue }
            if segment.elementsEqual("..".utf8) { _ = kept.popLast() } else { kept.append(segment) }
        }
        return kept.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    /// Without trackers, sorted by name; those of one name keep their order.
    private func query(_ text: ArraySlice<UInt8>, host: String) -> [UInt8] {
        struct Parameter {
            var text: [UInt8]
            /// Bytes before the first `=`.
            var nameLength: Int
            var name: ArraySlice<UInt8> { text[..<nameLength] }
        }
        let site = trackers.marks(on: host)
        var parameters: [Parameter] = []
        for piece in text.split(separator: UInt8(ascii: "&")) {
            let text = Escapes.canonical(piece, isQuery: true)
            let parameter = Parameter(text: text, nameLength: text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex)
            if !site.contain(parameter.name) { parameters.append(parameter) }
        }
        guard !parameters.isEmpty else { return [] }
        let isSorted = zip(parameters, parameters.dropFirst()).allSatisfy { !$1.name.lexicographicallyPrecedes($0.name) }
        if !isSorted {
            let places = parameters.indices.sorted { left, right in
                if parameters[left].name.lexicographicallyPrecedes(parameters[right].name) { return true }
                if parameters[right].name.lexicographicallyPrecedes(parameters[left].name) { return false }
                return left < right
            }
            parameters = places.map { parameters[$0] }
        }
        var query: [UInt8] = []
        for parameter in parameters {
            query.append(query.isEmpty ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            query += parameter.text
        }
        return query
    }

    /// A fragment that routes, as pages of one document do by `#!` and `#/`; the mark of a text fragment is no part of it.
    private static func fragment(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.first == UInt8(ascii: "!") || text.first == UInt8(ascii: "/") else { return [] }
        var fragment = Escapes.canonical(text)
        let mark = Array(":~:".utf8)
        if let start = fragment.indices.first(where: { fragment[$0...].starts(with: mark) }) { fragment.removeSubrange(start...) }
        return [UInt8(ascii: "#")] + fragment
    }
}
