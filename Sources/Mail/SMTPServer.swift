import CCurl

/// The mail server that mails are submitted to: `smtp://user:password@host:587`, or `smtps://` for TLS from the start.
public struct SMTPServer: Sendable {
    let url: String
    let encryption: Encryption

    enum Encryption: Sendable, Equatable {
        /// STARTTLS where the server offers it, with any certificate. An attacker who could forge the certificate could
        /// also hide the offer (RFC 7435), so a check would only reject mails to servers with a bad certificate.
        case whereOffered
        /// TLS with a valid certificate, or no submission: a password must not be sent in the clear.
        case always
    }

    /// The reason a text is not the URL of a mail server. Does not contain the text, which may hold a password.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    public init(_ url: String) throws(Malformed) {
        guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }), let parts = curl_url() else {
            throw Self.malformed
        }
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
        let hasPassword = part(CURLUPART_PASSWORD) != nil
        encryption = scheme == "smtps" || (hasPassword && !Self.isLoopback(host)) ? .always : .whereOffered
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]"
            || (host.hasPrefix("127.") && host.allSatisfy { $0.isWholeNumber || $0 == "." })
    }

    private static let malformed = Malformed(description: "must be smtp://[user:password@]host[:port] or smtps://…")
}
