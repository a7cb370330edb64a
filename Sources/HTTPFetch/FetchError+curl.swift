import CCurl

extension FetchError {
    /// The error of a transfer that libcurl aborted.
    /// - Parameter hasAnswered: whether a status line had arrived. Before it, a lost connection counts as a failed
    ///   connection, after it as a bad response.
    init(_ code: CURLcode, hasAnswered: Bool) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.dnsError, "There is no site of that name, or its name server does not respond.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.dnsError, "The proxy's name could not be resolved.")
        case CURLE_URL_MALFORMAT:
            self = .invalidURL
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timeout, "The site did not answer in time.")
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY:
            // libcurl reports a header line over its own limit as "out of memory".
            self.init(.tooLarge, "The site's response is larger than the limit.")
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            // CURLE_WRITE_ERROR covers some Brotli errors. Transfers that Lectern aborts itself have got their reason
            // before this.
            self.init(.badEncoding, "The page's compression is damaged or not supported.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            self.init(.connectionFailed, "The site's certificate is not valid.", retryable: false)
        case CURLE_SSL_CONNECT_ERROR:
            self.init(.connectionFailed, "A secure connection to the site could not be made.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            // CURLE_UNSUPPORTED_PROTOCOL means HTTP/0.9, a response without a status line. The URL's scheme was checked
            // before.
            self.init(.badResponse, "The site's response is not HTTP.", retryable: false)
        case CURLE_GOT_NOTHING:
            self.init(.badResponse, "The site closed the connection without a response.")
        case CURLE_PARTIAL_FILE:
            self.init(.badResponse, "The page ended before it was complete.")
        case CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            if hasAnswered {
                self.init(.badResponse, "The site's response is damaged.")
            } else {
                self.init(.connectionFailed, "The connection to the site was lost.")
            }
        default:
            self.init(.connectionFailed, Self.unreachable)
        }
    }
}
