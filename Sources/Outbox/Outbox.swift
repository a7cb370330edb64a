import Mail
import Postgres

/// Carries the mails of `private.mails` to the mail server, one after the other.
///
/// A mail may arrive twice, when we die between the server's word and ours, and is never lost that way.
public struct Outbox: Sendable {
    public struct Options: Sendable {
        /// Nil: nothing is sent, and the admin is told.
        public var server: SMTPServer?
        public var sender: MailAddress
        /// How the sender is shown beside its address.
        public var senderName = "Lectern"
        /// Seconds one mail may take in all.
        public var patience = 30
        /// Seconds before the second try; doubles each time.
        public var retryBase = 30

        public init(server: SMTPServer?, sender: MailAddress) {
            self.server = server
            self.sender = sender
        }
    }

    /// What became of a mail. Holds no address, no link and nothing the server said.
    public enum Event: Sendable, Equatable {
        case databaseUnavailable(PostgresError)
        case sent(mail: String, kind: String, attempt: Int)
        /// Tried again after so many seconds.
        case putOff(mail: String, kind: String, attempt: Int, why: String, seconds: Int)
        case failed(mail: String, kind: String, attempt: Int, why: String)
        /// There is no server to send it by.
        case unsendable(mail: String, kind: String)
    }

    private let options: Options
    private let watch: ChannelWatch
    private let report: @Sendable (Event) -> Void

    public init(
        _ conninfo: String, _ options: Options, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.options = options
        self.report = report
        watch = ChannelWatch(conninfo, channel: "lectern_mails", prepare: prepare)
    }

    /// Works until stopped, on the calling thread.
    public func run() {
        watch.run { connection throws(PostgresError) in try carry(&connection) } report: { report(.databaseUnavailable($0)) }
    }

    /// A mail that is being handed over is given up and sent anew later. Callable from any thread.
    public func stop() { watch.stop() }

    /// Longest sleep in milliseconds: what a lost notification can cost.
    private static let longestSleep = 60_000

    /// Sends what is due.
    ///
    /// - Returns: milliseconds to the next mail.
    private func carry(_ connection: inout Connection) throws(PostgresError) -> Int {
        let drawer = MailQueue(lease: options.patience + 60)
        for mail in try drawer.bury(&connection) {
            report(.failed(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: "expired"))
        }
        guard let server = options.server else {
            for mail in try drawer.setAside(&connection) { report(.unsendable(mail: mail.id, kind: mail.kind)) }
            return Self.longestSleep
        }
        let submit = Submission(to: server, patience: options.patience)
        while !watch.isStopping, let mail = try drawer.take(&connection) {
            try settle(mail, attempt(mail, submit), &connection, drawer)
        }
        return try drawer.millisecondsToNext(&connection, most: Self.longestSleep)
    }

    /// - Returns: why it was not taken, or nil.
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

    private func settle(
        _ mail: DueMail, _ error: SubmissionError?, _ connection: inout Connection, _ drawer: MailQueue
    ) throws(PostgresError) {
        guard let error else {
            try drawer.markSent(mail, &connection)
            return report(.sent(mail: mail.id, kind: mail.kind, attempt: mail.attempt))
        }
        if error == .cancelled { return try drawer.handBack(mail, &connection) }
        guard error.isTemporary else {
            try drawer.markFailed(mail, error.message, &connection)
            return report(.failed(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: error.code))
        }
        let wait = BackOff(base: options.retryBase).seconds(afterAttempt: mail.attempt, chance: .random(in: 0...1))
        try drawer.putOff(mail, seconds: wait, error.message, &connection)
        report(.putOff(mail: mail.id, kind: mail.kind, attempt: mail.attempt, why: error.code, seconds: Int(wait)))
    }
}
