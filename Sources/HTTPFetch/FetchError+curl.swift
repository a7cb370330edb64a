import CCurl

extension FetchError {
    /// A transfer that libcurl gave up.
    /// - Parameter hasAnswered: whether a status line had come. A connection that breaks before it never worked; one
    ///   that breaks after it carried a broken answer.
    init(_ code: CURLcode, hasAnswered: Bool) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.dnsError, "There is no site of that name, or its name server does not answer.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.dnsError, "The proxy's name leads nowhere.")
        case CURLE_URL_MALFORMAT:
            self = .noURL
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timeout, "The site did not answer in time.")
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY:
            // A single header line over libcurl's own limit ends as "out of memory".
            self.init(.tooLarge, "The site's answer is larger than what is taken.")
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            // The latter: some faults of Brotli's. What we did not want to be written ended for a reason of our own before.
            self.init(.badEncoding, "The page came packed in a way that cannot be unpacked.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            self.init(.connectionFailed, "The site's certificate is not valid.", retryable: false)
        case CURLE_SSL_CONNECT_ERROR:
            self.init(.connectionFailed, "No secure connection to the site could be made.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            // The latter: HTTP/0.9, that is an answer without a status line. Our own schemes were judged before.
            self.init(.badResponse, "What the site answered is no HTTP.", retryable: false)
        case CURLE_GOT_NOTHING:
            self.init(.badResponse, "The site closed the connection without an answer.")
        case CURLE_PARTIAL_FILE:
            self.init(.badResponse, "The page ended before it was complete.")
        case CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            if hasAnswered {
                self.init(.badResponse, "The site's answer is broken.")
            } else {
                self.init(.connectionFailed, "The connection to the site broke.")
            }
        default:
            self.init(.connectionFailed, Self.unreachable)
        }
    }
}
