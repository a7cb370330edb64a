import CCurl
import Glibc
import Links

/// A URL for libcurl, with host and port as libcurl itself parses them, so that the checked target is the connected
/// one.
struct CurlURL: Equatable {
    /// Absolute, percent-encoded, without a fragment.
    let text: String
    /// The host without brackets and zone. An address in any spelling (`0x7f.1`, `127%2e1`, `１２７。0。0。1`, `127.0.0.1.`)
    /// has the standard spelling. A name is unchanged.
    let host: String
    /// The host in ASCII, as name servers and proxies receive it. Equals `host` for addresses.
    let asciiHost: String
    let port: UInt16

    /// - Throws: `blocked_scheme`, `invalid_url`.
    init(_ url: String) throws(FetchError) {
        let split = SplitURL(AbsoluteURL.trimmed(url))
        guard split.scheme != nil else { throw .invalidURL }
        guard split.isWeb else { throw .blockedScheme }
        guard let absolute = AbsoluteURL.resolve(url) else { throw .invalidURL }
        var bare = SplitURL(absolute)
        bare.fragment = nil
        let asWritten = try CurlURL(reading: bare.text)
        self = try asWritten.needsNormalizing ? asWritten.normalized() : asWritten
    }

    private init(reading text: String) throws(FetchError) {
        guard let parsed = ParsedURL(text), let host = parsed.host, let port = parsed.port,
            !host.utf8.contains(UInt8(ascii: "%"))
        else {
            throw .invalidURL
        }
        self.text = text
        self.host = host
        // libcurl rejects a host that cannot be converted when it connects.
        asciiHost = host.utf8.allSatisfy { $0 < 0x80 } ? host : parsed.asciiHost ?? host
        self.port = port
    }

    /// Host and port as in a Host field: in ASCII, and without the default port.
    var authority: String {
        let isDefault = port == (text.hasPrefix("https:") ? 443 : 80)
        return asciiHost + (isDefault ? "" : ":\(port)")
    }

    /// The same URL with another host.
    func with(host: String) throws(FetchError) -> CurlURL {
        guard let changed = ParsedURL(text)?.text(withHost: host) else { throw .invalidURL }
        return try CurlURL(reading: changed)
    }

    /// Whether the name never resolves by definition (RFC 6761: `invalid`, RFC 7686: `onion`).
    var neverResolves: Bool {
        let name = AllowList.normalized(asciiHost)
        return ["invalid", "onion"].contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// Whether the name means this machine by definition (RFC 6761).
    var isLocalhost: Bool {
        let name = AllowList.normalized(asciiHost)
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    // MARK: - Addresses that libcurl would look up as names

    /// Whether libcurl would treat an address or `localhost` as an ordinary name.
    private var needsNormalizing: Bool {
        guard NetworkAddress(host) == nil else { return false }
        return endsInNumber || host.hasSuffix(".") && isLocalhost
    }

    /// Such a host is never a name (WHATWG URL, "ends in a number checker").
    private var endsInNumber: Bool {
        let labels = AllowList.normalized(asciiHost).utf8.split(separator: UInt8(ascii: "."))
        guard let last = labels.last else { return false }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        return last.allSatisfy(isDigit)
            || last.starts(with: "0x".utf8)
                && last.dropFirst(2).allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
    }

    /// Returns the URL with its host in ASCII, unescaped and without the root's dot. libcurl recognises `localhost` and
    /// numbers in any notation in this form.
    private func normalized() throws(FetchError) -> CurlURL {
        guard let plain = ParsedURL(text)?.text(withHost: AllowList.normalized(asciiHost)) else { throw .invalidURL }
        let read = try CurlURL(reading: plain)
        guard NetworkAddress(read.host) != nil || read.isLocalhost else { throw .invalidURL }
        return read
    }
}
