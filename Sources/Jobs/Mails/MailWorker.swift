import Mail
import Postgres

/// Sends the mails of `private.mails` through the mail server, one after the other.
///
/// A mail may arrive twice, when the worker dies after the server has accepted it and before that is stored. No mail is
/// lost.
public struct MailWorker: Sendable {
    public struct Options: Sendable {
        /// Nil: no mail is sent, and the admin is told.
        public var server: SMTPServer?
        public var sender: MailAddress
        /// The name shown beside the sender's address.
        public var senderName = "Lectern"
        /// Seconds that one submission may take.
        public var timeout = 30
        /// Seconds before the second attempt; doubles each time, up to an hour.
        public var retryBase = 30

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
    private let watch: ChannelWatch
    private let report: @Sendable (Event) -> Void

    public init(
        _ conninfo: String, _ options: Options,
        prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.options = options
        self.report = report
        // Mails end when their link expires, not after a number of attempts. Somebody who waits for one looks again
        // within the hour.
        policy = RetryPolicy(base: .seconds(options.retryBase), attempts: .max, maxDelay: .seconds(3_600))
        watch = ChannelWatch(conninfo, channel: "lectern_mails", prepare: prepare)
    }

    /// Works until stopped, on the calling thread.
    public func run() {
        watch.run { connection throws(PostgresError) in
            try sendDue(&connection)
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
        let queue = MailQueue(lease: options.timeout + 60)
        for mail in try queue.removeExpired(&connection) {
            report(.failed(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: "expired"))
        }
        guard let server = options.server else {
            for mail in try queue.markUnsendable(&connection) { report(.unsendable(mail: mail.id, kind: mail.kind)) }
            return Self.maxSleep
        }
        let submit = Submission(to: server, timeout: options.timeout)
        while !watch.isStopping, let mail = try queue.take(&connection) {
            try storeOutcome(mail, attempt(mail, submit), &connection, queue)
        }
        return try queue.millisecondsToNext(&connection, limit: Self.maxSleep)
    }

    /// Submits a mail.
    ///
    /// - Returns: the error, or nil where the server accepted the mail.
    private func attempt(_ mail: DueMail, _ submit: Submission) -> SubmissionError? {
        do throws(SubmissionError) {
            try submit(try message(mail)) { [watch] in watch.isStopping }
            return nil
        } catch {
            return error
        }
    }

    private func message(_ mail: DueMail) throws(SubmissionError) -> MailMessage {
        let recipient: MailAddress
        do throws(MailAddress.Malformed) {
            recipient = try MailAddress(mail.recipient)
        } catch {
            throw .refused(error.description)
        }
        return MailMessage(
            from: options.sender, senderName: options.senderName, to: recipient, subject: mail.subject, body: mail.body,
            id: mail.id, date: mail.createdAt)
    }

    private func storeOutcome(
        _ mail: DueMail, _ error: SubmissionError?, _ connection: inout Connection, _ queue: MailQueue
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
