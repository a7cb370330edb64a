import CCurl

/// Who takes our mails: `smtp://user:password@host:587`, or `smtps://` where TLS comes first.
public struct SMTPServer: Sendable {
    let url: String
    let encryption: Encryption

    enum Encryption: Sendable, Equatable {
        /// By STARTTLS where the server offers it, whatever its certificate: whoever could forge that could also hide the
        /// offer (RFC 7435), so a check would only refuse mails of the honest.
        case whereOffered
        /// Or nothing is said: a password is not for everybody on the way.
        case always
    }

    /// What is wrong with an address; holds none of it, as a password may stand in it.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    public init(_ url: String) throws(Malformed) {
        guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }), let parts = curl_url() else { throw Self.malformed }
        defer { curl_url_cleanup(parts) }
        func part(_ which: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(parts, which, &text, 0) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK, let scheme = part(CURLUPART_SCHEME),
            ["smtp", "smtps"].contains(scheme), let host = part(CURLUPART_HOST), !host.isEmpty
        else { throw Self.malformed }
        self.url = url
        let isHere = host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && host.allSatisfy { $0.isWholeNumber || $0 == "." })
        encryption = scheme == "smtps" || (part(CURLUPART_PASSWORD) != nil && !isHere) ? .always : .whereOffered
    }

    private static let malformed = Malformed(description: "must be smtp://[user:password@]host[:port] or smtps://…")
}
