/// References made absolute the way browsers do it (WHATWG URL), but keeping spellings a browser would change for looks
/// only: the case of the host, default ports, an absent path.
public enum AbsoluteURL {
    /// Longest URL we look at, in bytes. Servers and browsers stop well before; it bounds every loop below.
    public static let maximumBytes = 65_536

    /// `reference` as an absolute URL, seen from the page `base`.
    ///
    /// White space around it and line breaks and tabs inside are dropped, `\` is `/`, dot segments are resolved, and
    /// what may not stand in a URL (blanks, quotes, non-ASCII) is percent-encoded. A reference with a scheme other than
    /// http and https comes back as it is: whether it may be used is the caller's decision.
    /// - Returns: nil for a relative reference whose base is no http(s) URL, for an http(s) URL without host, and for
    ///   anything over `maximumBytes`.
    public static func resolve(_ reference: String, against base: String = "") -> String? {
        guard reference.utf8.count <= maximumBytes, base.utf8.count <= maximumBytes else { return nil }
        let cleaned = trimmed(reference)
        let split = SplitURL(cleaned)
        let absolute = split.scheme == nil || split.isWeb ? web(cleaned, base: base) : cleaned
        guard let absolute, absolute.utf8.count <= maximumBytes else { return nil }
        return absolute
    }

    /// The text without surrounding white space and control characters, and without line breaks and tabs inside.
    public static func trimmed(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 }) else { return text }
        var bytes = Array(text.utf8).drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return String(decoding: bytes.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    // MARK: - Steps

    private static func web(_ cleaned: String, base: String) -> String? {
        var reference = SplitURL(withSlashes(cleaned))
        let base = SplitURL(base)

        // `https:page` is relative on an https page, `https:host/page` absolute elsewhere (WHATWG: "special relative or
        // authority state"); surplus slashes before the host are ignored.
        if let scheme = reference.scheme {
            let sameScheme = scheme.lowercased() == base.scheme?.lowercased()
            if reference.authority != nil || !sameScheme || reference.path.utf8.first == UInt8(ascii: "/") {
                guard let whole = absorbingSlashes(reference) else { return nil }
                return written(whole)
            }
            reference.scheme = nil
        }

        guard base.isWeb, base.authority?.isEmpty == false else { return nil }
        if reference.authority != nil {
            reference.scheme = base.scheme
            guard let whole = absorbingSlashes(reference) else { return nil }
            return written(whole)
        }
        return written(merged(reference, into: base))
    }

    /// RFC 3986, 5.2.2, for references without scheme and authority.
    private static func merged(_ reference: SplitURL, into base: SplitURL) -> SplitURL {
        var target = base
        target.fragment = reference.fragment
        if reference.path.isEmpty {
            if reference.query != nil { target.query = reference.query }
            return target
        }
        target.query = reference.query
        if reference.path.utf8.first == UInt8(ascii: "/") {
            target.path = reference.path
        } else if let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            target.path = base.path[...slash] + reference.path
        } else {
            target.path = "/" + reference.path
        }
        return target
    }

    /// `http:///host/x` and `http:host/x` mean `http://host/x`. Nil when no host is left.
    private static func absorbingSlashes(_ reference: SplitURL) -> SplitURL? {
        var whole = reference
        if whole.authority?.isEmpty ?? true {
            let rest = whole.path.utf8.drop { $0 == UInt8(ascii: "/") }
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            whole.authority = Substring(rest[..<end])
            whole.path = Substring(rest[end...])
        }
        guard let host = whole.host, !host.isEmpty else { return nil }
        return whole
    }

    private static func written(_ url: SplitURL) -> String {
        var url = url
        url.path = Substring(encoded(withoutDots(url.path), escaping: pathEscapes))
        url.query = url.query.map { Substring(encoded($0, escaping: queryEscapes)) }
        url.fragment = url.fragment.map { Substring(encoded($0, escaping: fragmentEscapes)) }
        return url.text
    }

    /// `\` counts as `/` before the query, as every browser has it.
    private static func withSlashes(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var before = true
        let bytes = text.utf8.map { byte -> UInt8 in
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { before = false }
            return before && byte == UInt8(ascii: "\\") ? UInt8(ascii: "/") : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path with `.` and `..` segments resolved, also when their dots are written `%2e`. Empty segments stay.
    private static func withoutDots(_ path: Substring) -> Substring {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
            return path
        }
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (position, segment) in segments.enumerated() {
            let isLast = position == segments.count - 1
            switch dots(in: segment) {
            case 1:
                if isLast { kept.append("") }
            case 2:
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return Substring("/" + kept.joined(separator: "/"))
    }

    /// 1 for `.`, 2 for `..`, else 0.
    private static func dots(in segment: Substring) -> Int {
        guard segment.utf8.count <= 6 else { return 0 }
        switch segment.lowercased() {
        case ".", "%2e": return 1
        case "..", ".%2e", "%2e.", "%2e%2e": return 2
        default: return 0
        }
    }

    // The percent-encode sets of the URL standard, beside controls, blanks and non-ASCII; `%` always stays as it is.
    private static let pathEscapes = asciiSet("\"<>`{}^")
    private static let queryEscapes = asciiSet("\"<>'")
    private static let fragmentEscapes = asciiSet("\"<>`")

    /// A bit for each byte: every byte of every URL is looked up.
    private static func asciiSet(_ text: String) -> UInt128 { text.utf8.reduce(0) { $0 | 1 << UInt128($1) } }

    private static func encoded(_ text: Substring, escaping: UInt128) -> String {
        func stays(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && escaping >> UInt128(byte) & 1 == 0 }
        guard !text.utf8.allSatisfy(stays) else { return String(text) }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if stays(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
