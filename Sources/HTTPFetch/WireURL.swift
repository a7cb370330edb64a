import CCurl
import Links

/// A URL as it is handed to libcurl, with host and port as libcurl itself reads them: what is judged is what is connected.
struct WireURL: Equatable {
    /// Absolute, percent-encoded, without a fragment.
    let text: String
    /// Without brackets and zone; numbers in any spelling already turned into dotted decimal by libcurl.
    let host: String
    let port: UInt16

    /// - Throws: `blocked_scheme`, `invalid_url`.
    init(_ url: String) throws(FetchError) {
        let split = SplitURL(url)
        guard split.scheme != nil else { throw .noURL }
        guard split.isWeb else { throw .refusedScheme }
        guard let absolute = AbsoluteURL.resolve(url) else { throw .noURL }
        var bare = SplitURL(absolute)
        bare.fragment = nil
        text = bare.text

        guard let parsed = curl_url() else { throw .noURL }
        defer { curl_url_cleanup(parsed) }
        guard curl_url_set(parsed, CURLUPART_URL, text, 0) == CURLUE_OK,
            let host = WireURL.part(CURLUPART_HOST, of: parsed, flags: UInt32(CURLU_URLDECODE)),
            let port = WireURL.part(CURLUPART_PORT, of: parsed, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap(UInt16.init)
        else { throw .noURL }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// Names that are defined to lead nowhere (RFC 6761: `invalid`, RFC 7686: `onion`) are not asked for.
    var neverResolves: Bool {
        let name = AllowList.normalized(host)
        return ["invalid", "onion"].contains { name == $0 || name.hasSuffix("." + $0) }
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
