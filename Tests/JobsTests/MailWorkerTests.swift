import Mail
import Postgres
import Synchronization
import TestDatabase
import Testing

@testable import Jobs

@Suite("Jobs / mails", .enabled(if: TestDatabase.isAvailable, "needs LECTERN_TEST_DATABASE_URL"))
struct MailWorkerTests {
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

    /// Runs the worker until it has reported `count` events.
    private func events(_ count: Int) throws -> [MailWorker.Event] {
        let seen = Mutex<[MailWorker.Event]>([])
        let running = Mutex<MailWorker?>(nil)
        let worker = MailWorker(
            Database(database.conninfo("lectern_jobs")),
            MailWorker.Options(server: nil, sender: try MailAddress("lectern@example.org"))
        ) { event in
            let isEnough = seen.withLock {
                $0.append(event)
                return $0.count >= count
            }
            if isEnough { running.withLock { $0?.stop() } }
        }
        running.withLock { $0 = worker }
        worker.run()
        return seen.withLock { $0 }
    }

    @Test("without a server a mail waits, reported once; an expired mail is failed and its body deleted")
    func waits() throws {
        try addMail()
        try addMail(expires: "-1 second")
        let reported = try events(2)
        #expect(
            reported.contains { if case .failed(_, "recovery", 0, "expired") = $0 { true } else { false } }
                && reported.contains { if case .unsendable(_, "recovery") = $0 { true } else { false } })
        #expect(
            try mails() == [
                ["failed", nil, "it could not be sent in time", "0"],
                ["waiting", "the link", "no SMTP_URL is set", "0"],
            ])
        // Another worker does not report it again.
        try addMail(expires: "2 hours")
        #expect(try events(1).count == 1)
    }

    @Test("only the jobs lease mails, and a leased mail is not leased twice")
    func takenOnce() throws {
        try addMail()
        let queue = MailQueue(lease: 90)
        var first = try Connection(database.conninfo("lectern_jobs"))
        var second = try Connection(database.conninfo("lectern_jobs"))
        let mail = try #require(try queue.take(&first))
        #expect(mail.attempt == 1 && mail.body == "the link")
        let twice = try queue.take(&second)
        #expect(twice == nil)
        try queue.handBack(mail, &first)
        let again = try queue.take(&second)
        #expect(again == mail)
        var worker = try Connection(database.conninfo("authenticator"))
        try worker.script("set role auth_service")
        var isRefused = false
        do { _ = try worker.query("select body from private.mails") } catch { isRefused = true }
        #expect(isRefused)
    }

    @Test("a worker that lost its lease cannot end the mail")
    func lostLease() throws {
        try addMail()
        let queue = MailQueue(lease: 90)
        var connection = try Connection(database.conninfo("lectern_jobs"))
        let slow = try #require(try queue.take(&connection))
        _ = try connection.query("update private.mails set run_at = now() - interval '1 second'")
        let fast = try #require(try queue.take(&connection))
        #expect(fast.attempt == 2)
        try queue.markFailed(slow, "too late", &connection)
        #expect(try mails().map(\.first) == ["waiting"])
        try queue.markSent(fast, &connection)
        #expect(try mails() == [["sent", nil, nil, "2"]])
    }
}
