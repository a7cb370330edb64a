import Mail
import Postgres
import Synchronization
import TestDatabase
import Testing

@testable import Outbox

@Suite("Outbox / without a server", .enabled(if: TestDatabase.isAvailable, "needs LECTERN_TEST_DATABASE_URL"))
struct OutboxTests {
    private let database: TestDatabase
    private let user: String

    init() throws {
        database = try TestDatabase()
        user = try database.makeUser("ann@example.org")
    }

    private func addMail(expires: String = "1 hour") throws {
        var admin = try Connection(database.conninfo("lectern_admin"))
        _ = try admin.query(
            """
            insert into private.mails (user_id, kind, recipient, subject, body, expires_at)
            values (\(user)::uuid, 'recovery', 'ann@example.org', 's', 'the link', now() + \(expires)::interval)
            """)
    }

    private func mails() throws -> [[String?]] {
        var admin = try Connection(database.conninfo("lectern_admin"))
        let rows = try admin.query("select state, body, message, attempts from private.mails order by expires_at")
        return (0..<rows.count).map { row in (0..<4).map { rows.text(row, $0) } }
    }

    /// Runs the outbox until it has told so many events.
    private func events(_ count: Int) throws -> [Outbox.Event] {
        let seen = Mutex<[Outbox.Event]>([])
        let running = Mutex<Outbox?>(nil)
        let outbox = Outbox(
            database.conninfo("lectern_jobs"), Outbox.Options(server: nil, sender: try MailAddress("lectern@example.org")),
            prepare: { _ in }
        ) { event in
            let isEnough = seen.withLock {
                $0.append(event)
                return $0.count >= count
            }
            if isEnough { running.withLock { $0?.stop() } }
        }
        running.withLock { $0 = outbox }
        outbox.run()
        return seen.withLock { $0 }
    }

    @Test("a mail waits, said once; one that is too late is failed and empty")
    func waits() throws {
        try addMail()
        try addMail(expires: "-1 second")
        let told = try events(2)
        #expect(
            told.contains { if case .failed(_, "recovery", 0, "expired") = $0 { true } else { false } }
                && told.contains { if case .unsendable(_, "recovery") = $0 { true } else { false } })
        #expect(try mails() == [
            ["failed", nil, "it could not be sent in time", "0"], ["waiting", "the link", "no SMTP_URL is set", "0"],
        ])
        // Whoever comes later does not repeat it.
        try addMail(expires: "2 hours")
        #expect(try events(1).count == 1)
    }

    @Test("nobody but the jobs takes a mail, and nobody takes one twice")
    func takenOnce() throws {
        try addMail()
        let drawer = MailQueue(lease: 90)
        var first = try Connection(database.conninfo("lectern_jobs"))
        var second = try Connection(database.conninfo("lectern_jobs"))
        let mail = try #require(try drawer.take(&first))
        #expect(mail.attempt == 1 && mail.body == "the link")
        let twice = try drawer.take(&second)
        #expect(twice == nil)
        try drawer.handBack(mail, &first)
        let again = try drawer.take(&second)
        #expect(again == mail)
        var worker = try Connection(database.conninfo("authenticator"))
        try worker.script("set role auth_service")
        var isRefused = false
        do { _ = try worker.query("select body from private.mails") } catch { isRefused = true }
        #expect(isRefused)
    }
}

extension DueMail: Equatable {
    public static func == (one: DueMail, other: DueMail) -> Bool { one.id == other.id && one.attempt == other.attempt }
}
