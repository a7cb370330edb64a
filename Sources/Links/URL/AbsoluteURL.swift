/// Resolves references as browsers do (WHATWG URL), but keeps the spelling that browsers normalize: the case of the
/// host, default ports, a missing path. A resolved URL is stored as the site wrote it; ``WebAddress`` is the normalized
/// form.
public enum AbsoluteURL {
    /// Maximum length of a URL, in bytes. Servers and browsers have far lower limits; this one bounds every loop below.
    public static let maximumBytes = 65_536

    /// Makes `reference` absolute, relative to the page `base`.
    ///
    /// Removes surrounding white space and any line breaks and tabs, reads `\` as `/`, resolves dot segments, and
    /// percent-encodes what a URL cannot contain (blanks, quotes, non-ASCII). A reference with a scheme other than http
    /// and https is returned unchanged: whether it may be used is the caller's decision.
    /// - Returns: nil for a relative reference whose base is not an http(s) URL, for an http(s) URL without host, and
    ///   for anything over `maximumBytes`.
    public static func resolve(_ reference: String, against base: String = "") -> String? {
        guard reference.utf8.count <= maximumBytes, base.utf8.count <= maximumBytes else { return nil }
        let cleaned = trimmed(reference)
        let split = SplitURL(cleaned)
        let absolute = split.scheme == nil || split.isWeb ? web(cleaned, base: base) : cleaned
        guard let absolute, absolute.utf8.count <= maximumBytes else { return nil }
        return absolute
    }

    /// Removes surrounding white space and control characters, and line breaks and tabs anywhere.
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
                return serialized(whole)
            }
            reference.scheme = nil
        }

        guard base.isWeb, base.authority?.isEmpty == false else { return nil }
        if reference.authority != nil {
            reference.scheme = base.scheme
            guard let whole = absorbingSlashes(reference) else { return nil }
            return serialized(whole)
        }
        return serialized(merged(reference, into: base))
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

    /// Reads `http:///host/x` and `http:host/x` as `http://host/x`; nil if no host is left.
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

    private static func serialized(_ url: SplitURL) -> String {
        var url = url
        url.path = encoded(withoutDotSegments(url.path), .path)
        url.query = url.query.map { encoded($0, .query) }
        url.fragment = url.fragment.map { encoded($0, .fragment) }
        return url.text
    }

    /// Replaces `\` by `/` before the query, as browsers do.
    private static func withSlashes(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var before = true
        let bytes = text.utf8.map { byte -> UInt8 in
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { before = false }
            return before && byte == UInt8(ascii: "\\") ? UInt8(ascii: "/") : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the path without dot segments. A path without any is not copied.
    private static func withoutDotSegments(_ path: Substring) -> Substring {
        guard path.utf8.first == UInt8(ascii: "/"),
            path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") })
        else { return path }
        return Substring(decoding: DotSegments.removed(from: Array(path.utf8)), as: UTF8.self)
    }

    private static func encoded(_ text: Substring, _ part: PercentEncoding.Part) -> Substring {
        guard text.utf8.contains(where: part.mustEncode) else { return text }
        return Substring(decoding: PercentEncoding.encode(Array(text.utf8)[...], part), as: UTF8.self)
    }
}
