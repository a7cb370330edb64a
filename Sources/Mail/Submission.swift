import CCurl

/// Hands mails over to a server, one at a time, and waits for its word.
public struct Submission: Sendable {
    private let server: SMTPServer
    /// Seconds one mail may take in all.
    private let patience: Int

    /// libcurl's own state; made once, by whoever needs it first.
    private static let isLibraryReady = ccurl_global_init() == CURLE_OK

    public init(to server: SMTPServer, patience: Int) {
        self.server = server
        self.patience = patience
    }

    /// Returns once the server has taken the mail.
    ///
    /// - Parameter isCancelled: asked about once a second; a mail whose handing over was given up may have arrived all the
    ///   same.
    public func callAsFunction(_ message: MailMessage, isCancelled: @escaping () -> Bool = { false }) throws(SubmissionError) {
        guard Self.isLibraryReady, let easy = curl_easy_init() else { throw .unreachable("out of memory") }
        let dialogue = Dialogue(message, isCancelled)
        let recipients = curl_slist_append(nil, "<\(message.recipient.text)>")
        let outcome = perform(easy, dialogue, recipients)
        // Ending says QUIT, whose answer is no part of the outcome.
        let (reply, takesUTF8) = (dialogue.replies.last, dialogue.replies.takesUTF8)
        curl_easy_cleanup(easy)
        curl_slist_free_all(recipients)
        if outcome == CURLE_OK { return }
        if outcome == CURLE_ABORTED_BY_CALLBACK, dialogue.wasCancelled { throw .cancelled }
        let error = SubmissionError(outcome, reply)
        let isAboutAddress = if case .refused = error { true } else { outcome == CURLE_ABORTED_BY_CALLBACK }
        if message.recipient.needsUTF8, !takesUTF8, isAboutAddress { throw .needsUTF8 }
        throw error
    }

    private func perform(
        _ easy: UnsafeMutableRawPointer, _ dialogue: Dialogue, _ recipients: UnsafeMutablePointer<curl_slist>?
    ) -> CURLcode {
        let user = Unmanaged.passUnretained(dialogue).toOpaque()
        ccurl_set_string(easy, CURLOPT_URL, server.url)
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // Turns the environment's proxies off.
        ccurl_set_string(easy, CURLOPT_PROXY, "")
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT, min(10, patience))
        ccurl_set_long(easy, CURLOPT_TIMEOUT, patience)
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
        ccurl_set_read(easy, speak)
        ccurl_set_pointer(easy, CURLOPT_READDATA, user)
        ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, hear)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, user)
        ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0)
        ccurl_set_progress(easy, carryOn)
        ccurl_set_pointer(easy, CURLOPT_XFERINFODATA, user)
        return withExtendedLifetime(dialogue) { curl_easy_perform(easy) }
    }
}

/// One mail on its way: what was said so far on both sides. Used by libcurl's callbacks, on the thread that submits.
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

// libcurl's callbacks; `user` is the `Dialogue`, which outlives the handle.

private let speak: curl_read_callback = { buffer, size, count, user in
    guard let buffer, let user else { return Int(CURL_READFUNC_ABORT) }
    let dialogue = Unmanaged<Dialogue>.fromOpaque(user).takeUnretainedValue()
    // A server may accept an address in UTF-8 that it never said it understands, and mangle it.
    if dialogue.message.recipient.needsUTF8, !dialogue.replies.takesUTF8 { return Int(CURL_READFUNC_ABORT) }
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

private let hear: curl_write_callback = { data, size, count, user in
    guard let data, let user else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    Unmanaged<Dialogue>.fromOpaque(user).takeUnretainedValue().replies.hear(String(decoding: bytes, as: UTF8.self))
    return size * count
}

private let carryOn: curl_xferinfo_callback = { user, _, _, _, _ in
    guard let user else { return 1 }
    let dialogue = Unmanaged<Dialogue>.fromOpaque(user).takeUnretainedValue()
    dialogue.wasCancelled = dialogue.wasCancelled || dialogue.isCancelled()
    return dialogue.wasCancelled ? 1 : 0
}
