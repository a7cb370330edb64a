import CCurl
import Glibc
import Links

/// A URL as it is handed to libcurl, with host and port as libcurl itself reads them: what is judged is what is connected.
struct CurlURL: Equatable {
    /// Absolute, percent-encoded, without a fragment.
    let text: String
    /// Without brackets and zone. An address in whatever spelling (`0x7f.1`, `127%2e1`, `１２７。0。0。1`, `127.0.0.1.`) is in
    /// the standard one; a name is as written.
    let host: String
    /// The host in ASCII, as name servers and proxies are told it; the same as `host` for addresses.
    let asciiHost: String
    let port: UInt16

    /// - Throws: `blocked_scheme`, `invalid_url`.
    init(_ url: String) throws(FetchError) {
        let split = SplitURL(AbsoluteURL.trimmed(url))
        guard split.scheme != nil else { throw .noURL }
        guard split.isWeb else { throw .refusedScheme }
        guard let absolute = AbsoluteURL.resolve(url) else { throw .noURL }
        var bare = SplitURL(absolute)
        bare.fragment = nil
        let asWritten = try CurlURL(reading: bare.text)
        self = try asWritten.isSpelledAsOtherName ? asWritten.spelledPlainly() : asWritten
    }

    private init(reading text: String) throws(FetchError) {
        guard let parsed = ParsedURL(text), let host = parsed.host, let port = parsed.port, !host.utf8.contains(UInt8(ascii: "%")) else {
            throw .noURL
        }
        self.text = text
        self.host = host
        // What cannot be converted libcurl refuses when it is to connect.
        asciiHost = host.utf8.allSatisfy { $0 < 0x80 } ? host : parsed.asciiHost ?? host
        self.port = port
    }

    /// Names that are defined to lead nowhere (RFC 6761: `invalid`, RFC 7686: `onion`) are not asked for.
    var neverResolves: Bool {
        let name = AllowList.normalized(asciiHost)
        return ["invalid", "onion"].contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// This machine by definition (RFC 6761).
    var isLocalhost: Bool {
        let name = AllowList.normalized(asciiHost)
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    // MARK: - What libcurl would look up, though it is known

    /// Whether libcurl would take an address or `localhost` for the name of something else.
    private var isSpelledAsOtherName: Bool {
        guard NetworkAddress(host) == nil else { return false }
        return endsInNumber || host.hasSuffix(".") && isLocalhost
    }

    /// What does is never a name (WHATWG URL, "ends in a number checker").
    private var endsInNumber: Bool {
        guard let last = AllowList.normalized(asciiHost).utf8.split(separator: UInt8(ascii: ".")).last else { return false }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        return last.allSatisfy(isDigit)
            || last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
    }

    /// libcurl knows numbers in any notation and `localhost`, once they are in ASCII, unescaped, and without the dot of the root.
    private func spelledPlainly() throws(FetchError) -> CurlURL {
        guard let plain = ParsedURL(text)?.text(withHost: AllowList.normalized(asciiHost)) else { throw .noURL }
        let read = try CurlURL(reading: plain)
        guard NetworkAddress(read.host) != nil || read.isLocalhost else { throw .noURL }
        return read
    }
}

/// A URL in libcurl's hands.
private struct ParsedURL: ~Copyable {
    private let handle: OpaquePointer

    init?(_ text: String) {
        guard let handle = curl_url() else { return nil }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
            curl_url_cleanup(handle)
            return nil
        }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    // As a transfer takes it: unescaped when the URL was set, and not once more.
    var host: String? { part(CURLUPART_HOST, 0).map(Self.withoutBrackets) }
    var asciiHost: String? { Self.inUTF8 { part(CURLUPART_HOST, CURLU_PUNYCODE) }.map(Self.withoutBrackets) }
    var port: UInt16? { part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap(UInt16.init) }

    /// The whole URL with another host.
    consuming func text(withHost host: String) -> String? {
        curl_url_set(handle, CURLUPART_HOST, host, 0) == CURLUE_OK ? part(CURLUPART_URL, 0) : nil
    }

    private func part(_ part: CURLUPart, _ flags: Int32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func withoutBrackets(_ host: String) -> String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

    /// libidn2 reads host names in the thread's character set.
    private static func inUTF8<Value>(_ body: () -> Value) -> Value {
        let before = uselocale(utf8)
        defer { uselocale(before) }
        return body()
    }

    // Proof of safety: made once, never changed or freed; threads only refer to it.
    private nonisolated(unsafe) static let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
}
