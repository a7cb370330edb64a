import CCurl

/// Submits mails to a server, one at a time, and waits for its reply.
public struct Submission: Sendable {
    private let server: SMTPServer
    /// Seconds that one submission may take.
    private let timeout: Int

    /// libcurl's global state, initialized at first use.
    private static let isLibraryReady = ccurl_global_init() == CURLE_OK

    public init(to server: SMTPServer, timeout: Int) {
        self.server = server
        self.timeout = timeout
    }

    /// Returns when the server has accepted the mail.
    ///
    /// - Parameter isCancelled: called about once a second. A mail whose submission was cancelled may have arrived
    ///   nevertheless.
    public func callAsFunction(
        _ message: MailMessage, isCancelled: @escaping () -> Bool = { false }
    ) throws(SubmissionError) {
        guard Self.isLibraryReady, let easy = curl_easy_init() else { throw .unreachable("out of memory") }
        let dialogue = Dialogue(message, isCancelled)
        let recipients = curl_slist_append(nil, "<\(message.recipient.text)>")
        let outcome = perform(easy, dialogue, recipients)
        // The cleanup sends QUIT, whose reply is not part of the outcome.
        let (reply, supportsUTF8) = (dialogue.replies.last, dialogue.replies.supportsUTF8)
        curl_easy_cleanup(easy)
        curl_slist_free_all(recipients)
        if outcome == CURLE_OK { return }
        if outcome == CURLE_ABORTED_BY_CALLBACK, dialogue.wasCancelled { throw .cancelled }
        let error = SubmissionError(outcome, reply)
        let isAboutAddress = if case .refused = error { true } else { outcome == CURLE_ABORTED_BY_CALLBACK }
        if message.recipient.needsUTF8, !supportsUTF8, isAboutAddress { throw .needsUTF8 }
        throw error
    }

    private func perform(
        _ easy: UnsafeMutableRawPointer, _ dialogue: Dialogue, _ recipients: UnsafeMutablePointer<curl_slist>?
    ) -> CURLcode {
        let user = Unmanaged.passUnretained(dialogue).toOpaque()
        ccurl_set_string(easy, CURLOPT_URL, server.url)
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // Ignores proxies of the environment.
        ccurl_set_string(easy, CURLOPT_PROXY, "")
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT, min(10, timeout))
        ccurl_set_long(easy, CURLOPT_TIMEOUT, timeout)
        switch server.encryption {
        case .always: ccurl_set_long(easy, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
        case .whereOffered:
            ccurl_set_long(easy, CURLOPT_USE_SSL, Int(CURLUSESSL_TRY.rawValue))
            ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
            ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
        ccurl_set_string(easy, CURLOPT_MAIL_FROM, "<\(dialogue.message.sender.text)>")
        ccurl_set_list(easy, CURLOPT_MAIL_RCPT, recipients)
        ccurl_set_long(easy, CURLOPT_UPLOAD, 1)
        ccurl_set_read(easy, sendBytes)
        ccurl_set_pointer(easy, CURLOPT_READDATA, user)
        ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, readReply)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, user)
        ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0)
        ccurl_set_progress(easy, checkCancellation)
        ccurl_set_pointer(easy, CURLOPT_XFERINFODATA, user)
        return withExtendedLifetime(dialogue) { curl_easy_perform(easy) }
    }
}

/// The state of one submission: the bytes sent and the replies received. Used by libcurl's callbacks, on the submitting
/// thread.
private final class Dialogue {
    let message: MailMessage
    let isCancelled: () -> Bool
    var replies = SMTPReplies()
    var sent = 0
    var wasCancelled = false

    init(_ message: MailMessage, _ isCancelled: @escaping () -> Bool) {
        self.message = message
        self.isCancelled = isCancelled
    }
}

// libcurl's callbacks. `user` is the `Dialogue`, which outlives the handle.

private let sendBytes: curl_read_callback = { buffer, size, count, user in
    guard let buffer, let user else { return Int(CURL_READFUNC_ABORT) }
    let dialogue = Unmanaged<Dialogue>.fromOpaque(user).takeUnretainedValue()
    // A server without SMTPUTF8 may accept an address in UTF-8 and garble it.
    if dialogue.message.recipient.needsUTF8, !dialogue.replies.supportsUTF8 { return Int(CURL_READFUNC_ABORT) }
    let bytes = dialogue.message.bytes
    let length = min(size * count, bytes.count - dialogue.sent)
    bytes.withUnsafeBytes { source in
        if length > 0, let start = source.baseAddress {
            UnsafeMutableRawPointer(buffer).copyMemory(from: start + dialogue.sent, byteCount: length)
        }
    }
    dialogue.sent += length
    return length
}

private let readReply: curl_write_callback = { data, size, count, user in
    guard let data, let user else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    Unmanaged<Dialogue>.fromOpaque(user).takeUnretainedValue().replies.read(String(decoding: bytes, as: UTF8.self))
    return size * count
}

private let checkCancellation: curl_xferinfo_callback = { user, _, _, _, _ in
    guard let user else { return 1 }
    let dialogue = Unmanaged<Dialogue>.fromOpaque(user).takeUnretainedValue()
    dialogue.wasCancelled = dialogue.wasCancelled || dialogue.isCancelled()
    return dialogue.wasCancelled ? 1 : 0
}
