import Crypto
import HTTPFetch
import Jobs
import Postgres
import Synchronization
import Threads

/// Sends what happens to users' links to their webhooks; see sql/schema/webhooks.sql.
///
/// A delivery may arrive twice, when the process dies after the receiver has accepted it and before that is stored. No
/// waiting delivery is lost. The fetcher refuses inner addresses, so that a webhook reaches no more than a saved link
/// does.
struct WebhookSender: Sendable {
    /// Sends the request of a delivery.
    typealias Send = @Sendable (FetchRequest, @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void) -> Void

    private let send: Send
    private let policy: RetryPolicy

    /// The number of deliveries that are sent at once, each to another webhook.
    private static let atOnce = 20
    /// Seconds after which a delivery may be sent again, since its sender has died. Longer than a request may take.
    private static let lease = 60
    /// Seconds that a request may take.
    static let timeout = 10

    init(policy: RetryPolicy, send: @escaping Send) { (self.policy, self.send) = (policy, send) }

    /// - Parameter settings: of the fetcher of pages.
    init(_ settings: FetchSettings, policy: RetryPolicy) {
        var settings = settings
        settings.limits.totalTime = .seconds(Self.timeout)
        settings.limits.timeWithoutProgress = .seconds(Self.timeout)
        let fetcher = Fetcher(settings)
        self.init(policy: policy) { request, complete in fetcher.fetch(request, complete: complete) }
    }

    /// One round, run every quarter of a second.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in
            while try sendDue(&connection) > 0, !hasToStop() {}
        }
    }

    /// Sends what is due, at most one delivery of each webhook.
    ///
    /// - Returns: how many were tried.
    func sendDue(_ connection: inout Connection) throws(PostgresError) -> Int {
        let rows = try connection.query(
            """
            select id, url, secret, event, body, attempts
            from private.take_webhook_deliveries(\(Self.atOnce)::int, \(Self.lease)::int)
            """)
        let results = Results(count: rows.count)
        for row in 0..<rows.count {
            let request = Self.request(
                id: rows.text(row, 0) ?? "", url: rows.text(row, 1) ?? "", secret: rows.text(row, 2) ?? "",
                event: rows.text(row, 3) ?? "", body: rows.text(row, 4) ?? "")
            send(request) { results.add($0, at: row) }
        }
        for (row, result) in results.wait() {
            let attempt = rows.int(row, 5) ?? 1
            let ending = Self.ending(of: result, attempt, policy, chance: Double.random(in: 0...1))
            _ = try connection.query(
                """
                select private.end_webhook_delivery(\(rows.text(row, 0))::uuid, \(attempt)::int, \(ending.state),
                    \(ending.status)::int, \(ending.reason), \(ending.seconds)::int)
                """)
        }
        return rows.count
    }

    /// The request of a delivery, signed with the secret of its webhook.
    static func request(id: String, url: String, secret: String, event: String, body: String) -> FetchRequest {
        let signature = Digest.hex(Digest.hmacSHA256(Array(body.utf8), key: Array(secret.utf8)))
        var request = FetchRequest(url, wantsBody: false)
        request.post = FetchRequest.Post(
            body: body,
            fields: [
                "Content-Type: application/json", "X-Lectern-Event: \(event)", "X-Lectern-Delivery: \(id)",
                "X-Lectern-Signature: sha256=\(signature)",
            ])
        return request
    }

    struct Ending: Equatable {
        var state: String
        var status: Int?
        var reason: String?
        /// Until the next attempt.
        var seconds = 0
    }

    /// How an attempt ends. What will not change by waiting is given up at once: an address that is refused, and a
    /// receiver that is gone for good.
    static func ending(
        of result: Result<FetchedPage, FetchError>, _ attempt: Int, _ policy: RetryPolicy, chance: Double
    ) -> Ending {
        let (status, reason, isFinal): (Int?, String, Bool)
        switch result {
        case .success(let page) where (200...299).contains(page.status):
            return Ending(state: "sent", status: page.status)
        case .success(let page):
            (status, reason, isFinal) = (page.status, "The receiver answered \(page.status).", page.status == 410)
        case .failure(let error):
            (status, reason) = (error.status, error.message)
            isFinal = [FetchError.Reason.blockedAddress, .invalidURL, .blockedScheme].contains(error.reason)
        }
        if case .retry(let delay) = policy.decide(afterAttempt: attempt, isRetryable: !isFinal, chance: chance) {
            return Ending(state: "waiting", status: status, reason: reason, seconds: max(1, Int(delay / .seconds(1))))
        }
        return Ending(state: "failed", status: status, reason: reason)
    }

    /// The results of requests that were sent at the same time.
    private final class Results: Sendable {
        private let count: Int
        private let found = Mutex<[Int: Result<FetchedPage, FetchError>]>([:])
        private let wakeUp = WakeUp()

        init(count: Int) { self.count = count }

        func add(_ result: Result<FetchedPage, FetchError>, at row: Int) {
            found.withLock { $0[row] = result }
            wakeUp.all()
        }

        /// Waits for all results; the fetcher ends every request in time.
        func wait() -> [Int: Result<FetchedPage, FetchError>] {
            while found.withLock({ $0.count < count }) {
                wakeUp.wait(milliseconds: 1_000) { found.withLock { $0.count == count } }
            }
            return found.withLock { $0 }
        }
    }
}
