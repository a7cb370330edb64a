import Postgres

/// The mail queue, `private.mails`, on the connection of the mail worker.
struct MailQueue {
    /// Seconds after which a leased mail may be leased again, since its worker has died. Longer than a submission may
    /// take.
    var lease: Int

    /// A leased mail keeps its state and is due again when the lease expires. Every lease counts as an attempt, so that
    /// a mail that kills its worker is not sent for ever. No lock is held while the mail server answers: it would block
    /// the deletion of the account.
    private static let table: LeaseStatements = {
        var table = LeaseStatements("mails", key: "id", keyType: "uuid")
        table.leaseNumber = "attempts"
        (table.waiting, table.running, table.leasedUntil) = ("waiting", "waiting", "run_at")
        table.condition = "expires_at > now() and body is not null"
        return table
    }()

    /// A mail, as it is reported.
    struct Named {
        var id: String
        var kind: String
        var attempt: Int
    }

    /// Leases the mail that has been due longest.
    func take(_ connection: inout Connection) throws(PostgresError) -> DueMail? {
        let rows = try connection.query(
            Self.table.leasing(
                1, seconds: lease,
                returning: """
                    id, kind, recipient, subject, body, floor(extract(epoch from created_at))::bigint, attempts,
                    (select link_id from private.ereader_mails e where e.id = mails.id),
                    (select book_id from private.ereader_mails e where e.id = mails.id),
                    (select title from private.ereader_mails e where e.id = mails.id), html
                    """
            ))
        guard rows.count == 1, let id = rows.text(0, 0), let kind = rows.text(0, 1), let recipient = rows.text(0, 2),
            let subject = rows.text(0, 3), let body = rows.text(0, 4), let createdAt = rows.int(0, 5),
            let attempt = rows.int(0, 6)
        else { return nil }
        let source = rows.text(0, 7).map(MailedBook.Source.link) ?? rows.text(0, 8).map(MailedBook.Source.book)
        let title = rows.text(0, 9) ?? ""
        return DueMail(
            id: id, kind: kind, recipient: recipient, subject: subject, body: body, html: rows.text(0, 10),
            book: source.map { MailedBook(source: $0, title: title) }, createdAt: createdAt, attempt: attempt)
    }

    /// The file of a book.
    func file(of book: MailedBook, _ connection: inout Connection) throws(PostgresError) -> MailedBook.File {
        let statement: SQL =
            switch book.source {
            case .link(let id): "select hash, bytes, state from private.link_books where link_id = \(id)::uuid"
            case .book(let id): "select hash, bytes, state from private.made_books where id = \(id)::uuid"
            }
        let rows = try connection.query(statement)
        guard rows.count == 1 else { return .none(reason: "The book was deleted before it was sent.") }
        if let hash = rows.text(0, 0) { return .made(hash: hash, bytes: rows.int(0, 1) ?? 0) }
        return rows.text(0, 2) == "failed" ? .none(reason: "The book could not be made.") : .pending
    }

    /// Tells the user why a mail with a book has not been sent, or will not be.
    func tell(_ mail: DueMail, _ reason: String, _ connection: inout Connection) throws(PostgresError) {
        guard mail.book != nil else { return }
        _ = try connection.query(
            "update private.ereader_mails set reason = \(reason) where id = \(mail.id)::uuid and state <> 'sent'")
    }

    /// Stores from which address mails are sent, for the users whose e-readers must allow it; nil where none is sent.
    func record(sender: String?, _ connection: inout Connection) throws(PostgresError) {
        _ = try connection.query(
            """
            insert into private.mail_sender as known (address) values (\(sender))
            on conflict (is_only) do update set address = excluded.address
            where known.address is distinct from excluded.address
            """)
    }

    /// Ends a sent mail and deletes its body, whose link belongs to the recipient alone.
    func markSent(_ mail: DueMail, _ connection: inout Connection) throws(PostgresError) {
        try change(mail, "state = 'sent', sent_at = now(), body = null, html = null, message = null", &connection)
    }

    /// Gives a mail up. The body stays until its link expires, so that the admin can pass the link on.
    func markFailed(_ mail: DueMail, _ message: String, _ connection: inout Connection) throws(PostgresError) {
        try change(mail, "state = 'failed', message = \(message)", &connection)
    }

    /// Puts a mail back for another attempt.
    func retry(
        _ mail: DueMail, after delay: Duration, _ message: String, _ connection: inout Connection
    ) throws(PostgresError) {
        try change(mail, "\(Self.table.waitingAgain(after: delay)), message = \(message)", &connection)
    }

    /// Hands a mail back as if it had not been tried.
    func handBack(
        _ mail: DueMail, after delay: Duration = .zero, _ connection: inout Connection
    ) throws(PostgresError) {
        try change(mail, "\(Self.table.waitingAgain(after: delay)), attempts = attempts - 1", &connection)
    }

    private func change(_ mail: DueMail, _ assignments: SQL, _ connection: inout Connection) throws(PostgresError) {
        _ = try connection.query(Self.table.changing(mail.lease, set: assignments))
    }

    /// Fails mails that have expired, deletes bodies whose link has expired, and deletes mails older than a month.
    ///
    /// - Returns: the mails that have expired without being sent.
    func removeExpired(_ connection: inout Connection) throws(PostgresError) -> [Named] {
        _ = try connection.query(
            """
            update private.mails set body = null, html = null
            where expires_at <= now() and body is not null and state <> 'waiting'
            """)
        _ = try connection.query(
            "delete from private.mails where state <> 'waiting' and created_at < now() - interval '30 days'")
        return named(
            try connection.query(
                """
                update private.mails
                set state = 'failed', body = null, html = null, message = concat_ws(': ', \(Self.expired)::text, message)
                where state = 'waiting' and expires_at <= now()
                returning id, kind, attempts
                """))
    }

    /// Marks waiting mails as unsendable, each once, where no mail server is configured.
    ///
    /// - Returns: the mails that were not marked yet.
    func markUnsendable(_ connection: inout Connection) throws(PostgresError) -> [Named] {
        _ = try connection.query(
            """
            update private.ereader_mails set reason = 'This server sends no mail. Its admin can set LECTERN_SMTP_URL.'
            where state = 'waiting' and reason is null
            """)
        return named(
            try connection.query(
                """
                update private.mails set message = \(Self.noServer)
                where state = 'waiting' and message is distinct from \(Self.noServer)
                returning id, kind, attempts
                """))
    }

    private static let expired = "it could not be sent in time"
    private static let noServer = "no SMTP_URL is set"

    /// The milliseconds until a mail is due or expires, at most `limit`.
    func millisecondsToNext(_ connection: inout Connection, limit: Int) throws(PostgresError) -> Int {
        let expiry: SQL = "(select min(expires_at) from private.mails where state = 'waiting')"
        let rows = try connection.query(LeaseStatements.millisecondsToNext(of: [Self.table], or: [expiry]))
        return min(max(rows.int(0, 0) ?? limit, 0), limit)
    }

    private func named(_ rows: Rows) -> [Named] {
        (0..<rows.count).map {
            Named(id: rows.text($0, 0) ?? "", kind: rows.text($0, 1) ?? "", attempt: rows.int($0, 2) ?? 0)
        }
    }
}
