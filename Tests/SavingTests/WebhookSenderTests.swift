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

    @Test("a receiver that is gone, and a private address, are given up at once")
    func final() {
        #expect(WebhookSender.ending(of: answer(410), 1, policy, chance: 0).state == "failed")
        let refused = FetchError(.blockedAddress, "Not allowed.")
        let ending = WebhookSender.ending(of: .failure(refused), 1, policy, chance: 0)
        #expect(ending == .init(state: "failed", status: nil, reason: "Not allowed."))
    }

    @Test("a request is signed with the secret of its webhook")
    func signature() {
        let delivery = WebhookDelivery(
            id: "1", userID: "", url: "https://a.test/", secret: "key", event: "saved", body: "{}", attempt: 1)
        let request = delivery.request
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
    private let policy = RetryPolicy(base: .seconds(30), attempts: 3)

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    @Test("users take turns, each with a few webhooks at once")
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
        func take(underWay: [String]) throws -> [String: Int] {
            let rows = try jobs.query(
                "select body from private.take_webhook_deliveries(20, 3, \(array: underWay)::uuid[], 60)")
            return Dictionary(grouping: (0..<rows.count).compactMap { rows.text($0, 0) }) { $0 }.mapValues(\.count)
        }
        #expect(try take(underWay: []) == [other: 1, fixture.user: 3])
        #expect(try take(underWay: [fixture.user, other, fixture.user]) == [fixture.user: 1])
        #expect(try take(underWay: Array(repeating: fixture.user, count: 3)) == [:])
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
        let sender = WebhookSender(policy: policy) { request, complete in
            bodies.withLock { $0.append(request.post?.body ?? "") }
            complete(.failure(FetchError(.timeout, "Too slow.")))
        }
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try sender.work(&connection))
        #expect(bodies.withLock { $0 } == ["1", "1"])
        #expect(try !sender.work(&connection))
        let waiting = try sql(
            "select count(*) from private.webhook_deliveries where attempts = 1 and reason = 'Too slow.'")
        #expect(waiting.int(0, 0) == 2)
    }

    @Test("while a delivery is under way, its webhook gets no other one, even one whose transaction began before")
    func older() throws {
        _ = try sql(
            """
            insert into private.webhooks (id, user_id, url, events)
            values ('00000000-0000-4000-8000-000000000001', \(fixture.user)::uuid, 'https://a.test/', '{saved}')
            """)
        func add(age: String) throws {
            _ = try sql(
                """
                insert into private.webhook_deliveries (user_id, webhook_id, event, body, created_at)
                values (\(fixture.user)::uuid, '00000000-0000-4000-8000-000000000001', 'saved', '{}',
                    now() - \(age)::interval)
                """)
        }
        var jobs = try Connection(fixture.database.conninfo("lectern_jobs"))
        let take: SQL = "select from private.take_webhook_deliveries(20, 3, '{}', 60)"
        try add(age: "1 second")
        #expect(try jobs.query(take).count == 1)
        try add(age: "1 hour")
        #expect(try jobs.query(take).count == 0)
    }

    @Test("the events of one transaction are sent in their order")
    func transaction() throws {
        _ = try sql(
            """
            insert into private.webhooks (user_id, url, events)
            values (\(fixture.user)::uuid, 'https://a.test/', '{archived, starred, highlighted}')
            """)
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        _ = try admin.query("begin")
        for list in ["archive", "read", "archive"] {
            _ = try admin.query("update public.links set list = \(list) where id = \(fixture.link)::uuid")
            _ = try admin.query(
                "update public.links set is_starred = \(list == "archive") where id = \(fixture.link)::uuid")
        }
        _ = try admin.query("commit")
        let rows = try sql("select event from private.webhook_deliveries order by created_at, id")
        let events = (0..<rows.count).map { rows.text($0, 0) }
        #expect(events == ["archived", "starred", "archived", "starred"])
    }

    @Test("a receiver that does not answer delays no other webhook, and nothing is begun when the process stops")
    func slow() throws {
        _ = try sql(
            """
            with hook as (
                insert into private.webhooks (user_id, url, events)
                select \(fixture.user)::uuid, 'https://' || name || '.test/', '{saved}'
                from unnest(array['slow', 'quick']) name
                returning id, user_id
            )
            insert into private.webhook_deliveries (user_id, webhook_id, event, body, created_at)
            select user_id, id, 'saved', '{}', now() + n * interval '1 second' from hook, generate_series(1, 3) n
            """)
        let answers = Mutex<[@Sendable () -> Void]>([])
        let sender = WebhookSender(policy: policy) { request, complete in
            let answer: @Sendable () -> Void = {
                complete(
                    .success(
                        FetchedPage(
                            requestedURL: "", finalURL: "", status: 200, contentType: nil, charsetLabel: nil,
                            kind: .html,
                            body: [], hops: 0, seconds: 0, validators: nil)))
            }
            if request.url == "https://slow.test/" { answers.withLock { $0.append(answer) } } else { answer() }
        }
        func sent() throws -> [Int?] {
            let rows = try sql(
                """
                select count(*) filter (where url like '%slow%'), count(*) filter (where url like '%quick%')
                from private.webhook_deliveries join private.webhooks on webhooks.id = webhook_id where state = 'sent'
                """)
            return [rows.int(0, 0), rows.int(0, 1)]
        }
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        for _ in 1...4 { #expect(try sender.work(&connection)) }
        #expect(try sent() == [0, 3])
        answers.withLock { $0.removeLast() }()
        #expect(try !sender.work(&connection, mayBegin: false))
        #expect(try sent() == [1, 3] && answers.withLock { $0.isEmpty })
        #expect(try sender.work(&connection))
        #expect(answers.withLock { $0.count } == 1)
    }
}
