import CCurl

/// Why a mail was not taken.
public enum SubmissionError: Error, Sendable, Equatable {
    /// The server will not take this mail, today or tomorrow (5xx); its own words.
    case refused(String)
    /// The server asks to come again later (4xx); its own words.
    case putOff(String)
    /// The server does not let us in, which is for whoever runs this service to mend; its own words.
    case notAdmitted(String)
    /// The recipient's address is not ASCII, and the server takes no others.
    case needsUTF8
    /// TLS is needed and the server offers none, or its certificate is not good.
    case insecure(String)
    case unreachable(String)
    case timeout
    /// The caller did not want it any more.
    case cancelled

    /// Whether another try may end better.
    public var isTemporary: Bool {
        switch self {
        case .refused, .needsUTF8: false
        case .putOff, .notAdmitted, .insecure, .unreachable, .timeout, .cancelled: true
        }
    }

    /// One word for logs, which hold neither addresses nor what a server says about them.
    public var code: String {
        switch self {
        case .refused: "refused"
        case .putOff: "put_off"
        case .notAdmitted: "not_admitted"
        case .needsUTF8: "needs_smtputf8"
        case .insecure: "insecure"
        case .unreachable: "unreachable"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        }
    }

    /// For the person who runs the service.
    public var message: String {
        switch self {
        case .refused(let words): "the mail server refused it: \(words)"
        case .putOff(let words): "the mail server asks to try later: \(words)"
        case .notAdmitted(let words): "the mail server does not let us in: \(words)"
        case .needsUTF8: "the address is not ASCII, and the mail server has no SMTPUTF8"
        case .insecure(let words): "no secure connection to the mail server: \(words)"
        case .unreachable(let words): "the mail server cannot be reached: \(words)"
        case .timeout: "the mail server did not answer in time"
        case .cancelled: "the service was stopped"
        }
    }

    /// What libcurl gave up on, and the last thing the server said.
    init(_ code: CURLcode, _ reply: SMTPReplies.Reply?) {
        let words = reply?.words ?? ""
        switch (code, reply?.code ?? 0) {
        case (CURLE_OPERATION_TIMEDOUT, _): self = .timeout
        case (CURLE_USE_SSL_FAILED, _), (CURLE_PEER_FAILED_VERIFICATION, _), (CURLE_SSL_CONNECT_ERROR, _),
            (CURLE_SSL_ISSUER_ERROR, _):
            self = .insecure(String(cString: curl_easy_strerror(code)))
        // RFC 4954, section 6: authentication is missing, too weak or wrong.
        case (CURLE_LOGIN_DENIED, _), (_, 530), (_, 534), (_, 535), (_, 538): self = .notAdmitted(words)
        case (_, 500...599): self = .refused(words)
        case (_, 400...499): self = .putOff(words)
        default: self = .unreachable(String(cString: curl_easy_strerror(code)))
        }
    }
}
