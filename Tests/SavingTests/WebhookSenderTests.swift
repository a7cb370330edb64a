@testable import HTTPFetch
import Jobs
import Postgres
import Synchronization
import TestDatabase
import Testing

@testable import Saving

@Suite("Saving / webhooks")
struct WebhookSenderTests {
    private let policy = RetryPolicy(base: .seconds(30), attempts: 3)

    private func answer(_ status: Int) -> Result<FetchedPage, FetchError> {
        .success(
            FetchedPage(
                requestedURL: "https://a.test/", finalURL: "https://a.test/", status: status, contentType: nil,
                charsetLabel: nil, kind: .html, body: [], hops: 0, seconds: 0, validators: nil))
    }

    @Test("every answer from 200 to 299 is a success", arguments: [200, 204, 299])
    func success(status: Int) {
        let ending = WebhookSender.ending(of: answer(status), 1, policy, chance: 0.5)
        #expect(ending == .init(state: "sent", status: status))
    }

    @Test("another answer is tried again after twice the time, and then given up with its reason")
    func retries() {
        let reason = "The receiver answered 500."
        let endings = (1...3).map { WebhookSender.ending(of: answer(500), $0, policy, chance: 0.5) }
        #expect(
            endings == [
                .init(state: "waiting", status: 500, reason: reason, seconds: 30),
                .init(state: "waiting", status: 500, reason: reason, seconds: 60),
                .init(state: "failed", status: 500, reason: reason),
            ])
    }

    @Test("a receiver that is gone, and an inner address, are given up at once")
    func final() {
        #expect(WebhookSender.ending(of: answer(410), 1, policy, chance: 0).state == "failed")
        let refused = FetchError(.blockedAddress, "Not allowed.")
        let ending = WebhookSender.ending(of: .failure(refused), 1, policy, chance: 0)
        #expect(ending == .init(state: "failed", status: nil, reason: "Not allowed."))
    }

    @Test("a request is signed with the secret of its webhook")
    func signature() {
        let request = WebhookSender.request(id: "1", url: "https://a.test/", secret: "key", event: "saved", body: "{}")
        // printf '{}' | openssl dgst -sha256 -hmac key
        #expect(
            request.post?.fields.last
                == "X-Lectern-Signature: sha256=a777724d943eb48dc69bca8a4a6d57a04db3f9ec7e1de4e581e860265bdf3032")
        #expect(request.post?.body == "{}" && request.url == "https://a.test/" && !request.wantsBody)
    }
}

@Suite(
    "Saving / outbox of webhooks", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct WebhookOutboxTests {
    private let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    @Test("users take turns, so that one with many webhooks does not keep another from being told")
    func turns() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            with hook as (
                insert into private.webhooks (id, user_id, url, events)
                select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
                    case when n = 40 then \(other)::uuid else \(fixture.user)::uuid end, 'https://a.test/' || n, '{saved}'
                from generate_series(1, 40) n
                returning id, user_id
            )
            insert into private.webhook_deliveries (user_id, webhook_id, event, body, run_at)
            select user_id, id, 'saved', user_id::text, now() - case when user_id = \(other)::uuid then interval '1 second'
                else interval '1 hour' end from hook
            """)
        var jobs = try Connection(fixture.database.conninfo("lectern_jobs"))
        let taken = try jobs.query("select body from private.take_webhook_deliveries(20, 60)")
        #expect(taken.count == 20)
        #expect((0..<taken.count).contains { taken.text($0, 0) == other })
    }

    @Test("a webhook gets one delivery at a time, the oldest first, and its next one after that has ended")
    func order() throws {
        _ = try sql(
            """
            with hook as (
                insert into private.webhooks (user_id, url, events)
                select \(fixture.user)::uuid, 'https://a.test/' || n, '{saved}' from generate_series(1, 2) n
                returning id, user_id
            )
            insert into private.webhook_deliveries (user_id, webhook_id, event, body, created_at)
            select user_id, id, 'saved', n::text, now() + n * interval '1 second' from hook, generate_series(1, 3) n
            """)
        let bodies = Mutex<[String]>([])
        let sender = WebhookSender(policy: RetryPolicy(base: .seconds(30), attempts: 3)) { request, complete in
            bodies.withLock { $0.append(request.post?.body ?? "") }
            complete(.failure(FetchError(.timeout, "Too slow.")))
        }
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try sender.sendDue(&connection) == 2)
        #expect(bodies.withLock { $0 } == ["1", "1"])
        #expect(try sender.sendDue(&connection) == 0)
        let waiting = try sql(
            "select count(*) from private.webhook_deliveries where attempts = 1 and reason = 'Too slow.'")
        #expect(waiting.int(0, 0) == 2)
    }
}
