/// The deduplication key of a URL: equal for all spellings of one page's URL. Links of one user with equal keys are one
/// link.
///
/// The function `rest.dedupe_key` in sql/schema/dedupe_keys.sql is authoritative; this is the same algorithm in Swift, and
/// tests compare the two. Two URLs have the same key only if browsers treat them as the same URL, or if they differ only
/// in parts that the key drops or sorts.
public struct DedupeKey: Sendable {
    /// Maps a host name for an IDNA lookup, still in Unicode: case-folded, compatibility forms unified, invisible
    /// characters removed. Called only for hosts that are not ASCII.
    public typealias MapHost = @Sendable (String) -> String

    private let mapHost: MapHost
    private let trackers: TrackingParameters

    public init(trackers: TrackingParameters = .standard, mapHost: @escaping MapHost) {
        self.trackers = trackers
        self.mapHost = mapHost
    }

    /// Returns the key: an https URL that is its own key. Nil if the text is not an http(s) URL, or if the URL or its
    /// key is longer than `AbsoluteURL.maximumBytes`.
    public func callAsFunction(_ url: String) -> String? {
        self(Array(url.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Same for bytes that may not be UTF-8; invalid bytes are percent-encoded.
    public func callAsFunction(_ url: ArraySlice<UInt8>) -> [UInt8]? {
        guard url.count <= AbsoluteURL.maximumBytes else { return nil }
        var rest = Self.trimmed(url)
        guard Self.dropScheme(&rest) else { return nil }
        let fragment = Self.cutTail(of: &rest, at: UInt8(ascii: "#"))
        let query = Self.cutTail(of: &rest, at: UInt8(ascii: "?"))
        let pathStart = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? rest.endIndex

        var key = Array("https://".utf8)
        key.reserveCapacity(url.count + 16)
        guard let host = appendAuthority(rest[..<pathStart], to: &key) else { return nil }
        Self.appendPath(rest[pathStart...], to: &key)
        if let query { Self.appendQuery(query, without: trackers.matcher(for: host), to: &key) }
        if let fragment { Self.appendFragment(fragment, to: &key) }
        return key.count <= AbsoluteURL.maximumBytes ? key : nil
    }

    // MARK: - Splitting

    /// White space beyond ASCII (the Unicode property White_Space), which often surrounds copied text.
    private static let nonASCIISpaces: [[UInt8]] =
        ([0x85, 0xA0, 0x1680] + Array(0x2000...0x200A) + [0x2028, 0x2029, 0x202F, 0x205F, 0x3000] as [UInt32])
        .compactMap(Unicode.Scalar.init).map { Array(String($0).utf8) }

    /// Removes surrounding white space and control characters, and the line breaks and tabs that mail programs insert.
    private static func trimmed(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = url
        while let first = rest.first {
            if first <= 0x20 {
                rest.removeFirst()
            } else if first >= 0x80, let space = nonASCIISpaces.first(where: { rest.starts(with: $0) }) {
                rest.removeFirst(space.count)
            } else {
                break
            }
        }
        while let last = rest.last {
            if last <= 0x20 {
                rest.removeLast()
            } else if last >= 0x80, let space = nonASCIISpaces.first(where: { rest.suffix($0.count).elementsEqual($0) })
            {
                rest.removeLast(space.count)
            } else {
                break
            }
        }
        return rest.contains(where: isLineBreakOrTab) ? rest.filter { !isLineBreakOrTab($0) }[...] : rest
    }

    private static func isLineBreakOrTab(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Removes `http:` or `https:` in any case with any number of slashes after it, as browsers do.
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

    /// Returns the text after the first `mark`; `rest` keeps the text before it.
    private static func cutTail(of rest: inout ArraySlice<UInt8>, at mark: UInt8) -> ArraySlice<UInt8>? {
        guard let place = rest.firstIndex(of: mark) else { return nil }
        defer { rest = rest[..<place] }
        return rest[(place + 1)...]
    }

    // MARK: - The parts of a key, in order

    /// Appends user, host and port. Returns the host alone, for the list of tracking parameters; nil for an invalid
    /// authority.
    private func appendAuthority(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) -> ArraySlice<UInt8>? {
        var rest = text
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            Self.appendUser(rest[..<at], to: &key)
            rest = rest[(at + 1)...]
        }
        let hostEnd: Int
        if rest.first == UInt8(ascii: "[") {
            guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = close + 1
        } else {
            hostEnd = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
        }
        guard let host = HostName.canonical(rest[..<hostEnd], mapHost) else { return nil }
        key += host
        return Self.appendPort(rest[hostEnd...], to: &key) ? host : nil
    }

    /// Appends `user:password@`, because pages may differ by user; nothing if both are empty.
    private static func appendUser(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) {
        let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        let password = text[colon...].dropFirst()
        appendUserPart(text[..<colon], to: &key)
        if !password.isEmpty {
            key.append(UInt8(ascii: ":"))
            appendUserPart(password, to: &key)
        }
        if colon > text.startIndex || !password.isEmpty { key.append(UInt8(ascii: "@")) }
    }

    /// Appends a user name or password, with the delimiters of an authority escaped.
    private static func appendUserPart(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) {
        var escaped: [UInt8] = []
        Escapes.appendCanonical(text, to: &escaped)
        for byte in escaped {
            switch byte {
            case UInt8(ascii: "@"): key += "%40".utf8
            case UInt8(ascii: ":"): key += "%3A".utf8
            default: key.append(byte)
            }
        }
    }

    /// Appends `:port`, except for the default ports of http and https. Returns false for an invalid port.
    private static func appendPort(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) -> Bool {
        guard let colon = text.first else { return true }
        guard colon == UInt8(ascii: ":") else { return false }
        var port = 0
        for digit in text.dropFirst() {
            guard (0x30...0x39).contains(digit) else { return false }
            port = port * 10 + Int(digit - 0x30)
            guard port <= 65_535 else { return false }
        }
        if text.count > 1, port != 80, port != 443 { key += ":\(port)".utf8 }
        return true
    }

    /// Appends the path with canonical escapes, without dot segments and trailing slashes.
    private static func appendPath(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) {
        let start = key.endIndex
        if text.contains(UInt8(ascii: "\\")) {
            Escapes.appendCanonical(text.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }[...], to: &key)
        } else {
            Escapes.appendCanonical(text, to: &key)
        }
        if hasDotSegment(key[start...]) { key.replaceSubrange(start..., with: withoutDotSegments(key[start...])) }
        while key.count > start, key.last == UInt8(ascii: "/") { key.removeLast() }
    }

    private static func hasDotSegment(_ path: ArraySlice<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in path {
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return true }
            previous = byte
        }
        return false
    }

    /// RFC 3986, 5.2.4. Empty segments count as segments.
    private static func withoutDotSegments(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var remaining: [ArraySlice<UInt8>] = []
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.elementsEqual(".".utf8) { continue }
            if segment.elementsEqual("..".utf8) { _ = remaining.popLast() } else { remaining.append(segment) }
        }
        return remaining.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    /// A parameter within the key.
    private struct Parameter {
        var name: Range<Int>
        var end: Int
    }

    /// Appends the query without tracking parameters, sorted by name; parameters with the same name keep their order.
    private static func appendQuery(
        _ text: ArraySlice<UInt8>, without matcher: TrackingParameters.Matcher, to key: inout [UInt8]
    ) {
        let start = key.endIndex
        var parameters: [Parameter] = []
        var isSorted = true
        var rest: ArraySlice<UInt8>? = text
        while var piece = rest {
            rest = cutTail(of: &piece, at: UInt8(ascii: "&"))
            if piece.isEmpty { continue }
            let place = key.endIndex
            key.append(place == start ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            Escapes.appendCanonical(piece, in: .query, to: &key)
            let name = (place + 1)..<(key[(place + 1)...].firstIndex(of: UInt8(ascii: "=")) ?? key.endIndex)
            if matcher.contains(key[name]) {
                key.removeLast(key.endIndex - place)
                continue
            }
            if let last = parameters.last, key[name].lexicographicallyPrecedes(key[last.name]) { isSorted = false }
            parameters.append(Parameter(name: name, end: key.endIndex))
        }
        if !isSorted { sort(parameters, of: &key) }
    }

    private static func sort(_ parameters: [Parameter], of key: inout [UInt8]) {
        let sorted = parameters.sorted { left, right in
            if key[left.name].lexicographicallyPrecedes(key[right.name]) { return true }
            return left.name.lowerBound < right.name.lowerBound && key[left.name].elementsEqual(key[right.name])
        }
        let query = sorted.map { key[$0.name.lowerBound..<$0.end] }.joined(
            separator: CollectionOfOne(UInt8(ascii: "&")))
        key.replaceSubrange(parameters[0].name.lowerBound..., with: Array(query))
    }

    /// Appends a fragment that single-page applications use for routing (`#!` and `#/`), without its text fragment
    /// directive.
    private static func appendFragment(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) {
        guard text.first == UInt8(ascii: "!") || text.first == UInt8(ascii: "/") else { return }
        key.append(UInt8(ascii: "#"))
        let start = key.endIndex
        Escapes.appendCanonical(text, to: &key)
        let mark = key.indices[start...].first { key[$0] == UInt8(ascii: ":") && key[$0...].starts(with: ":~:".utf8) }
        if let mark { key.removeSubrange(mark...) }
    }
}
