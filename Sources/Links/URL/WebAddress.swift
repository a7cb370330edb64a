/// An absolute URL, split into parts and normalized as browsers do (`href`).
///
/// Implements the parts of https://url.spec.whatwg.org that links and images in pages need: special schemes with host,
/// port, path, query and fragment; URLs of other schemes stay as written. ``AbsoluteURL`` resolves references too, but
/// keeps their spelling. Neither decides whether a URL may be fetched: that happens at connect time.
public struct WebAddress: Equatable, Sendable {
    public private(set) var scheme: String
    private var credentials: [UInt8]?
    private var host: [UInt8]?
    private var port: [UInt8]?
    private var path: [UInt8]
    private var query: [UInt8]?
    private var fragment: [UInt8]?

    /// Parses an absolute URL, or a reference relative to `base`; nil if a browser would reject it.
    public init?(_ text: String, relativeTo base: WebAddress? = nil) {
        self.init(Array(text.utf8), base)
    }

    /// `http` or `https`.
    public var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// The URL as text (`href`).
    public var text: String {
        var text = Array(scheme.utf8) + [UInt8(ascii: ":")]
        if let host {
            text += "//".utf8
            if let credentials { text += credentials + [UInt8(ascii: "@")] }
            text += host
            if let port { text += [UInt8(ascii: ":")] + port }
        }
        text += path
        if let query { text += [UInt8(ascii: "?")] + query }
        if let fragment { text += [UInt8(ascii: "#")] + fragment }
        return String(decoding: text, as: UTF8.self)
    }

    /// The host in lower case, without port; nil for a scheme without hosts.
    public var hostName: String? { host.map { String(decoding: $0, as: UTF8.self) } }

    /// The percent-encoded path; it begins with a slash if there is a host.
    public var pathText: String { String(decoding: path, as: UTF8.self) }

    /// The percent-encoded query without `?`; nil if there is none.
    public var queryText: String? { query.map { String(decoding: $0, as: UTF8.self) } }

    /// The percent-encoded fragment without `#`; nil if it is missing or empty.
    public var fragmentText: String? {
        guard let fragment, !fragment.isEmpty else { return nil }
        return String(decoding: fragment, as: UTF8.self)
    }

    /// The same URL with another fragment, or without one.
    public func withFragment(_ text: String?) -> WebAddress {
        var address = self
        address.fragment = text.map { PercentEncoding.encode(Array($0.utf8)[...], .fragment) }
        return address
    }

    // MARK: Parsing

    private init?(_ raw: [UInt8], _ base: WebAddress?) {
        // Browsers trim control characters and spaces, and remove tabs and line ends anywhere.
        var rest = raw.drop { $0 <= 0x20 }
        while let last = rest.last, last <= 0x20 { rest = rest.dropLast() }
        if rest.contains(where: WebAddress.isTabOrLineEnd) {
            rest = rest.filter { !WebAddress.isTabOrLineEnd($0) }[...]
        }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = PercentEncoding.encode(rest[(hash + 1)...], .fragment)
            rest = rest[..<hash]
        }
        let written = WebAddress.scheme(of: rest)
        if let written, !(written == base?.scheme && WebAddress.isRelativeBehindScheme(rest, written)) {
            scheme = written
            rest = rest[(rest.startIndex + written.utf8.count + 1)...]
            path = []
            guard WebAddress.defaultPorts[written] != nil else {
                path = PercentEncoding.encode(rest, .control)
                return
            }
            if written == "file" {
                parseFile(rest)
            } else {
                parseAfterScheme(rest.drop(while: WebAddress.isSlash))
            }
        } else {
            // `http:page` with an http base is a legacy form of a relative URL.
            if let written { rest = rest[(rest.startIndex + written.utf8.count + 1)...] }
            guard let base, base.host != nil || rest.isEmpty else { return nil }
            scheme = base.scheme
            path = []
            parseRelative(rest, to: base)
        }
        guard let host else { return nil }
        if scheme != "file" && host.isEmpty { return nil }
    }

    /// Two slashes introduce a host, which may be empty; anything else is a local path.
    private mutating func parseFile(_ text: ArraySlice<UInt8>) {
        guard text.prefix(2).count == 2, text.prefix(2).allSatisfy(WebAddress.isSlash) else {
            host = []
            parsePathAndQuery(text, folder: [])
            return
        }
        let rest = text.dropFirst(2)
        let end = rest.firstIndex { WebAddress.isSlash($0) || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        host = URLHost.normalized(rest[..<end])
        if let name = host, name.elementsEqual("localhost".utf8) { host = [] }
        parsePathAndQuery(rest[end...], folder: [])
    }

    private mutating func parseAfterScheme(_ text: ArraySlice<UInt8>) {
        let end = text.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "?") }
        parseAuthority(text[..<(end ?? text.endIndex)])
        parsePathAndQuery(text[(end ?? text.endIndex)...], folder: [])
    }

    private mutating func parseAuthority(_ text: ArraySlice<UInt8>) {
        var text = text
        if let at = text.lastIndex(of: UInt8(ascii: "@")) {
            credentials = WebAddress.credentials(text[..<at])
            text = text[(at + 1)...]
        }
        let bracket = text.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
        if let colon = text[bracket...].lastIndex(of: UInt8(ascii: ":")) {
            let digits = Array(text[(colon + 1)...].drop { $0 == UInt8(ascii: "0") })
            let number = String(decoding: digits, as: UTF8.self)
            guard digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
                digits.isEmpty || UInt16(number) != nil
            else { return }
            let isDefault = digits.isEmpty || number == WebAddress.defaultPorts[scheme]
            port = isDefault ? nil : digits
            text = text[..<colon]
        }
        host = URLHost.normalized(text)
    }

    /// User name and password; delimiters of empty parts are dropped.
    private static func credentials(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let user = text.prefix { $0 != UInt8(ascii: ":") }
        let password = text[user.endIndex...].dropFirst()
        if password.isEmpty { return user.isEmpty ? nil : PercentEncoding.encode(user, .path) }
        return PercentEncoding.encode(user, .path) + [UInt8(ascii: ":")] + PercentEncoding.encode(password, .path)
    }

    private static func isTabOrLineEnd(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    private mutating func parseRelative(_ text: ArraySlice<UInt8>, to base: WebAddress) {
        let isSlash = WebAddress.isSlash
        if let first = text.first, isSlash(first), let second = text.dropFirst().first, isSlash(second) {
            if scheme == "file" { parseFile(text) } else { parseAfterScheme(text.drop(while: isSlash)) }
            return
        }
        credentials = base.credentials
        host = base.host
        port = base.port
        guard let first = text.first else {
            path = base.path
            query = base.query
            return
        }
        if first == UInt8(ascii: "?") {
            path = base.path
            query = PercentEncoding.encode(text.dropFirst(), .query)
            return
        }
        let folder = isSlash(first) ? [] : base.path[..<((base.path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)]
        parsePathAndQuery(text, folder: folder)
    }

    private mutating func parsePathAndQuery(_ text: ArraySlice<UInt8>, folder: ArraySlice<UInt8>) {
        let mark = text.firstIndex(of: UInt8(ascii: "?"))
        if let mark { query = PercentEncoding.encode(text[(mark + 1)...], .query) }
        let written = text[..<(mark ?? text.endIndex)].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        path = DotSegments.removed(from: Array(folder) + PercentEncoding.encode(written[...], .path))
    }

    // MARK: Schemes

    /// The special schemes and their ports. Source: https://url.spec.whatwg.org/#special-scheme
    private static let defaultPorts = ["http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443", "file": ""]

    /// The scheme at the start of a URL, in lower case.
    private static func scheme(of text: ArraySlice<UInt8>) -> String? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon]
        guard let first = name.first, isLetter(first) else { return nil }
        let allowed = name.allSatisfy {
            isLetter($0) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
        return allowed ? String(decoding: name, as: UTF8.self).lowercased() : nil
    }

    private static func isRelativeBehindScheme(_ text: ArraySlice<UInt8>, _ scheme: String) -> Bool {
        guard defaultPorts[scheme] != nil, scheme != "file" else { return false }
        return !text.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
}
