/// A URL reference split at its delimiters (RFC 3986, appendix B). Every part keeps its spelling: `text` returns the
/// same bytes.
public struct SplitURL: Equatable, Sendable {
    /// The part before the first `:`, as written; nil for a relative reference.
    public var scheme: Substring?
    /// The part between `//` and the path: user information, host and port, as written.
    public var authority: Substring?
    public var path: Substring
    /// The part after `?`; nil without a `?`, empty if nothing follows it.
    public var query: Substring?
    /// The part after `#`; nil without a `#`.
    public var fragment: Substring?

    public init(_ text: String) {
        var rest = Substring(text)
        (rest, fragment) = SplitURL.cut(rest, at: UInt8(ascii: "#"))
        (rest, query) = SplitURL.cut(rest, at: UInt8(ascii: "?"))
        if let end = SplitURL.schemeEnd(of: rest) {
            scheme = rest[..<end]
            rest = rest[rest.utf8.index(after: end)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
            let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[start..<end]
            rest = rest[end...]
        }
        path = rest
    }

    /// The parts joined again.
    public var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Whether the scheme is `http` or `https`, in any case.
    public var isWeb: Bool {
        guard let scheme, (4...5).contains(scheme.utf8.count) else { return false }
        return zip(scheme.utf8, "https".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// The host as written, without user information and port; an IPv6 address without its brackets.
    public var host: Substring? {
        guard let authority else { return nil }
        var host = authority
        if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) { host = host[host.utf8.index(after: at)...] }
        if host.utf8.first == UInt8(ascii: "[") {
            guard let close = host.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            return host[host.utf8.index(after: host.startIndex)..<close]
        }
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")) { host = host[..<colon] }
        return host
    }

    private static func cut(_ text: Substring, at delimiter: UInt8) -> (Substring, Substring?) {
        guard let found = text.utf8.firstIndex(of: delimiter) else { return (text, nil) }
        return (text[..<found], text[text.utf8.index(after: found)...])
    }

    /// The index of the `:` after a scheme: a letter, then letters, digits, `+`, `-`, `.`
    private static func schemeEnd(of text: Substring) -> Substring.Index? {
        guard let first = text.utf8.first, isLetter(first) else { return nil }
        let end = text.utf8.firstIndex { byte in
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x30...0x39: false
            default: !isLetter(byte)
            }
        }
        guard let end, text.utf8[end] == UInt8(ascii: ":") else { return nil }
        return end
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
