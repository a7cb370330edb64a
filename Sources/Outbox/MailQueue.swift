import Postgres

/// A mail that is to be sent now.
struct DueMail {
    var id: String
    var kind: String
    var recipient: String
    var subject: String
    var body: String
    /// Epoch seconds.
    var createdAt: Int
    /// Which try this is, from 1.
    var attempt: Int
}

/// `private.mails`, as the outbox sees it.
struct MailQueue {
    /// Seconds after which a mail that was taken is free again: its taker has died. Longer than handing it over may take.
    var lease: Int

    struct Named {
        var id: String
        var kind: String
        var attempt: Int
    }

    /// The mail that has waited longest of those that are due.
    ///
    /// It is kept from others by its time, not by a lock: a lock held while a server thinks would hold up who deletes the
    /// account. Taking it counts as a try, so that a mail that kills its sender is not sent for ever.
    func take(_ connection: inout Connection) throws(PostgresError) -> DueMail? {
        let rows = try connection.query(
            """
            update private.mails set attempts = attempts + 1, run_at = now() + \(lease) * interval '1 second'
            where id = (
                select id from private.mails
                where state = 'waiting' and run_at <= now() and expires_at > now() and body is not null
                order by run_at, id limit 1 for update skip locked)
            returning id, kind, recipient, subject, body, floor(extract(epoch from created_at))::bigint, attempts
            """)
        guard rows.count == 1, let id = rows.text(0, 0), let kind = rows.text(0, 1), let recipient = rows.text(0, 2),
            let subject = rows.text(0, 3), let body = rows.text(0, 4), let createdAt = rows.int(0, 5),
            let attempt = rows.int(0, 6)
        else { return nil }
        return DueMail(
            id: id, kind: kind, recipient: recipient, subject: subject, body: body, createdAt: createdAt, attempt: attempt)
    }

    /// The link in the body is its reader's alone now.
    func markSent(_ mail: DueMail, _ connection: inout Connection) throws(PostgresError) {
        _ = try connection.query(
            "update private.mails set state = 'sent', sent_at = now(), body = null, message = null where id = \(mail.id)::uuid")
    }

    /// The body stays until the link expires, for the admin to pass on.
    func markFailed(_ mail: DueMail, _ message: String, _ connection: inout Connection) throws(PostgresError) {
        _ = try connection.query(
            "update private.mails set state = 'failed', message = \(message) where id = \(mail.id)::uuid")
    }

    func putOff(_ mail: DueMail, seconds: Double, _ message: String, _ connection: inout Connection) throws(PostgresError) {
        _ = try connection.query(
            """
            update private.mails set run_at = now() + \(String(seconds))::float8 * interval '1 second', message = \(message)
            where id = \(mail.id)::uuid
            """)
    }

    /// As if it had not been tried.
    func handBack(_ mail: DueMail, _ connection: inout Connection) throws(PostgresError) {
        _ = try connection.query(
            "update private.mails set run_at = now(), attempts = attempts - 1 where id = \(mail.id)::uuid")
    }

    /// Ends those that came too late, empties what nobody may read any more, and forgets what is a month old.
    ///
    /// - Returns: those that were never sent.
    func bury(_ connection: inout Connection) throws(PostgresError) -> [Named] {
        _ = try connection.query("update private.mails set body = null where expires_at <= now() and body is not null and state <> 'waiting'")
        _ = try connection.query("delete from private.mails where state <> 'waiting' and created_at < now() - interval '30 days'")
        return named(
            try connection.query(
                """
                update private.mails set state = 'failed', body = null, message = concat_ws(': ', 'it could not be sent in time', message)
                where state = 'waiting' and expires_at <= now()
                returning id, kind, attempts
                """))
    }

    /// Where there is no server: says so on each mail, once.
    ///
    /// - Returns: those that are new.
    func setAside(_ connection: inout Connection) throws(PostgresError) -> [Named] {
        named(
            try connection.query(
                """
                update private.mails set message = \(Self.noServer)
                where state = 'waiting' and message is distinct from \(Self.noServer)
                returning id, kind, attempts
                """))
    }

    private static let noServer = "no SMTP_URL is set"

    func millisecondsToNext(_ connection: inout Connection, most: Int) throws(PostgresError) -> Int {
        let rows = try connection.query(
            """
            select ceil(extract(epoch from min(least(run_at, expires_at)) - clock_timestamp()) * 1000)::bigint
            from private.mails where state = 'waiting'
            """)
        return min(max(rows.int(0, 0) ?? most, 0), most)
    }

    private func named(_ rows: Rows) -> [Named] {
        (0..<rows.count).map { Named(id: rows.text($0, 0) ?? "", kind: rows.text($0, 1) ?? "", attempt: rows.int($0, 2) ?? 0) }
    }
}
