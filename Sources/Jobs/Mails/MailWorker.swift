import Mail
import Postgres
import Text

/// Sends the mails of `private.mails` through the mail server, one after the other.
///
/// A mail may arrive twice, when the worker dies after the server has accepted it and before that is stored. No mail is
/// lost.
public struct MailWorker: Sendable {
    public struct Options: Sendable {
        /// Nil: no mail is sent, and the log tells the admin.
        public var server: SMTPServer?
        public var sender: MailAddress
        /// The name shown beside the sender's address.
        public var senderName = "Lectern"
        /// Seconds that one submission may take.
        public var timeout = 30
        /// Seconds before the second attempt; doubles each time, up to an hour.
        public var retryBase = 30
        /// Reads the file of a book by the SHA-256 of its bytes; nil where it cannot be read.
        public var readBook: @Sendable (_ hash: String) -> [UInt8]? = { _ in nil }

        public init(server: SMTPServer?, sender: MailAddress) {
            self.server = server
            self.sender = sender
        }
    }

    /// What happened to a mail. Holds no address, no link and no text of the server.
    public enum Event: Sendable, Equatable {
        case databaseUnavailable(PostgresError)
        case sent(mail: String, kind: String, attempt: Int)
        /// The mail is tried again after `seconds`.
        case putOff(mail: String, kind: String, attempt: Int, why: String, seconds: Int)
        case failed(mail: String, kind: String, attempt: Int, why: String)
        /// No mail server is configured.
        case unsendable(mail: String, kind: String)
    }

    private let options: Options
    private let policy: RetryPolicy
    private let queue: MailQueue
    private let database: Database
    private let watch: ChannelWatch
    private let report: @Sendable (Event) -> Void

    /// - Parameter database: for the role lectern_jobs.
    public init(_ database: Database, _ options: Options, report: @escaping @Sendable (Event) -> Void) {
        self.database = database
        self.options = options
        self.report = report
        queue = MailQueue(lease: options.timeout + Self.timeOfBook + 60)
        // Mails end when their link expires, not after a number of attempts. Somebody who waits for one looks again
        // within the hour.
        policy = RetryPolicy(base: .seconds(options.retryBase), attempts: .max, maxDelay: .seconds(3_600))
        watch = ChannelWatch(database, channel: "lectern_mails")
    }

    /// Works until stopped, on the calling thread.
    public func run() {
        let sender = options.server == nil ? nil : options.sender.text
        var isRecorded = false
        watch.run { () throws(PostgresError) in
            try database.usingConnection { connection throws(PostgresError) in
                if !isRecorded {
                    try queue.record(sender: sender, &connection)
                    isRecorded = true
                }
                return try sendDue(&connection)
            }
        } report: {
            report(.databaseUnavailable($0))
        }
    }

    /// Stops the worker. A submission under way is cancelled, and its mail sent again later. Callable from any thread.
    public func stop() { watch.stop() }

    /// The longest sleep in milliseconds: the delay that a lost notification can cause.
    private static let maxSleep = 60_000

    /// Sends the mails that are due.
    ///
    /// - Returns: the milliseconds until the next mail.
    private func sendDue(_ connection: inout Connection) throws(PostgresError) -> Int {
        for mail in try queue.removeExpired(&connection) {
            report(.failed(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: "expired"))
        }
        guard let server = options.server else {
            for mail in try queue.markUnsendable(&connection) { report(.unsendable(mail: mail.id, kind: mail.kind)) }
            return Self.maxSleep
        }
        while !watch.isStopping, let mail = try queue.take(&connection) {
            guard let book = mail.book else {
                try send(mail, nil, to: server, &connection)
                continue
            }
            switch try queue.file(of: book, &connection) {
            case .pending: try queue.handBack(mail, after: Self.pause, &connection)
            case .none(let reason): try giveUp(mail, reason, &connection)
            case .made(_, let bytes) where bytes > MailedBook.maxBytes:
                try giveUp(mail, "The book is larger than 25 MB.", &connection)
            case .made(let hash, _):
                guard let content = options.readBook(hash) else {
                    try queue.handBack(mail, after: Self.pause, &connection)
                    continue
                }
                let name = (FileName.words(of: book.title) ?? "book") + ".epub"
                let attachment = MailAttachment(name: name, mediaType: "application/epub+zip", content: content)
                try send(mail, attachment, to: server, &connection)
            }
        }
        return try queue.millisecondsToNext(&connection, limit: Self.maxSleep)
    }

    /// Seconds that a book takes longer than another mail: 35 MB at 2 Mbit/s.
    private static let timeOfBook = 140
    /// How long a mail waits for a book that is being made.
    private static let pause = Duration.seconds(5)

    private func giveUp(
        _ mail: DueMail, _ reason: String, _ connection: inout Connection
    ) throws(PostgresError) {
        try queue.tell(mail, reason, &connection)
        try queue.markFailed(mail, reason, &connection)
        report(.failed(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: "no_book"))
    }

    private func send(
        _ mail: DueMail, _ attachment: MailAttachment?, to server: SMTPServer, _ connection: inout Connection
    ) throws(PostgresError) {
        let timeout = options.timeout + (attachment == nil ? 0 : Self.timeOfBook)
        let error = attempt(mail, attachment, Submission(to: server, timeout: timeout))
        if let error, error != .cancelled { try queue.tell(mail, error.reason, &connection) }
        try storeOutcome(mail, error, &connection)
    }

    /// Submits a mail.
    ///
    /// - Returns: the error, or nil where the server accepted the mail.
    private func attempt(
        _ mail: DueMail, _ attachment: MailAttachment?, _ submit: Submission
    ) -> SubmissionError? {
        do throws(SubmissionError) {
            try submit(try message(mail, attachment)) { [watch] in watch.isStopping }
            return nil
        } catch {
            return error
        }
    }

    private func message(
        _ mail: DueMail, _ attachment: MailAttachment?
    ) throws(SubmissionError) -> MailMessage {
        let recipient: MailAddress
        do throws(MailAddress.Malformed) {
            recipient = try MailAddress(mail.recipient)
        } catch {
            throw .refused(error.description)
        }
        return MailMessage(
            from: options.sender, senderName: options.senderName, to: recipient, subject: mail.subject, body: mail.body,
            html: mail.html, id: mail.id, date: mail.createdAt, attachment: attachment)
    }

    private func storeOutcome(
        _ mail: DueMail, _ error: SubmissionError?, _ connection: inout Connection
    ) throws(PostgresError) {
        guard let error else {
            try queue.markSent(mail, &connection)
            return report(.sent(mail: mail.id, kind: mail.kind, attempt: mail.attempt))
        }
        if error == .cancelled { return try queue.handBack(mail, &connection) }
        guard error.isTemporary else {
            try queue.markFailed(mail, error.message, &connection)
            return report(.failed(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: error.code))
        }
        let delay = policy.delay(afterAttempt: mail.attempt, chance: .random(in: 0...1))
        try queue.retry(mail, after: delay, error.message, &connection)
        report(
            .putOff(
                mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: error.code,
                seconds: Int(delay.components.seconds)))
    }
}

extension SubmissionError {
    /// A sentence for the user who has sent a book. It names nothing of the admin's mail server.
    fileprivate var reason: String {
        switch self {
        case .refused: "The mail server refused it. Check the address of your e-reader."
        case .needsUTF8: "The mail server cannot send to an address with letters like these."
        case .putOff, .notAdmitted, .insecure, .unreachable, .timeout, .cancelled:
            "The mail server could not take it yet. It is tried again within the hour."
        }
    }
}
