import CCurl

/// The reason a mail was not accepted.
public enum SubmissionError: Error, Sendable, Equatable {
    /// The server rejects this mail permanently (5xx), with its reply.
    case refused(String)
    /// The server asks to try again later (4xx), with its reply.
    case putOff(String)
    /// The server rejects the login, which the admin must correct; with its reply.
    case notAdmitted(String)
    /// The recipient's address is not ASCII, and the server accepts only ASCII.
    case needsUTF8
    /// TLS is required, and the server does not offer it or has an invalid certificate.
    case insecure(String)
    case unreachable(String)
    case timeout
    /// The caller cancelled the submission.
    case cancelled

    /// Whether another attempt may succeed.
    public var isTemporary: Bool {
        switch self {
        case .refused, .needsUTF8: false
        case .putOff, .notAdmitted, .insecure, .unreachable, .timeout, .cancelled: true
        }
    }

    /// A code for logs, which contain neither addresses nor replies of the server.
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

    /// A sentence for the admin.
    public var message: String {
        switch self {
        case .refused(let reply): "the mail server rejected the mail: \(reply)"
        case .putOff(let reply): "the mail server asks to try later: \(reply)"
        case .notAdmitted(let reply): "the mail server rejected the login: \(reply)"
        case .needsUTF8: "the address is not ASCII, and the mail server does not support SMTPUTF8"
        case .insecure(let why): "no secure connection to the mail server: \(why)"
        case .unreachable(let why): "the mail server cannot be reached: \(why)"
        case .timeout: "the mail server did not answer in time"
        case .cancelled: "the service was stopped"
        }
    }

    /// - Parameters:
    ///   - code: libcurl's error.
    ///   - reply: the server's last reply.
    init(_ code: CURLcode, _ reply: SMTPReplies.Reply?) {
        let text = reply?.text ?? ""
        switch (code, reply?.code ?? 0) {
        case (CURLE_OPERATION_TIMEDOUT, _): self = .timeout
        case (CURLE_USE_SSL_FAILED, _), (CURLE_PEER_FAILED_VERIFICATION, _), (CURLE_SSL_CONNECT_ERROR, _),
            (CURLE_SSL_ISSUER_ERROR, _):
            self = .insecure(String(cString: curl_easy_strerror(code)))
        // RFC 4954, section 6: authentication is missing, too weak or wrong.
        case (CURLE_LOGIN_DENIED, _), (_, 530), (_, 534), (_, 535), (_, 538): self = .notAdmitted(text)
        case (_, 500...599): self = .refused(text)
        case (_, 400...499): self = .putOff(text)
        default: self = .unreachable(String(cString: curl_easy_strerror(code)))
        }
    }
}
