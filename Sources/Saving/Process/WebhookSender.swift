import HTTPFetch
import Jobs
import Postgres

/// Sends what happens to users' links to their webhooks; see sql/schema/webhooks.sql.
///
/// A delivery may arrive twice: when the process dies, or loses the database, after the receiver has accepted it and
/// before that is stored. No waiting delivery is lost. The fetcher refuses private addresses, so that a webhook reaches no
/// more than a saved link does.
struct WebhookSender: Sendable {
    /// Sends the request of a delivery.
    typealias Send = @Sendable (FetchRequest, @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void) -> Void

    private let send: Send
    private let policy: RetryPolicy
    private let requests = FetchesUnderWay<WebhookDelivery>()

    /// The number of deliveries that are under way at once, each to another webhook.
    private static let atOnce = 40
    /// The number of them that may belong to one user.
    private static let atOncePerUser = 4
    /// Seconds after which a delivery may be sent again, since its sender has died. Longer than a request may take.
    private static let lease = 60
    /// Seconds that a request may take.
    static let timeout = 10
    /// Milliseconds to wait for a result before looking at the queue again.
    private static let pause = 250

    init(policy: RetryPolicy, send: @escaping Send) { (self.policy, self.send) = (policy, send) }

    /// - Parameter settings: of the fetcher of pages.
    init(_ settings: FetchSettings, policy: RetryPolicy) {
        var settings = settings
        settings.limits.totalTime = .seconds(Self.timeout)
        settings.limits.timeWithoutProgress = .seconds(Self.timeout)
        let fetcher = Fetcher(settings)
        self.init(policy: policy) { request, complete in fetcher.fetch(request, complete: complete) }
    }

    /// One round, run every quarter of a second. It goes on while requests are under way.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in
            while try work(&connection, mayBegin: !hasToStop()) { requests.wait(milliseconds: Self.pause) }
        }
    }

    /// Stores what has arrived, and sends what is due, at most one delivery of each webhook. Does not wait for answers,
    /// so that the slow receivers of one user do not delay the webhooks of others.
    ///
    /// - Returns: whether requests are under way.
    func work(_ connection: inout Connection, mayBegin: Bool = true) throws(PostgresError) -> Bool {
        while let (delivery, result) = requests.takeArrived() { try store(result, of: delivery, &connection) }
        if mayBegin { try sendDue(&connection) }
        return !requests.subjects.isEmpty
    }

    private func sendDue(_ connection: inout Connection) throws(PostgresError) {
        let underWay = requests.subjects
        let free = Self.atOnce - underWay.count
        guard free > 0 else { return }
        let rows = try connection.query(
            """
            select id, user_id, url, secret, event, body, attempts
            from private.take_webhook_deliveries(\(free)::int, \(Self.atOncePerUser)::int,
                \(array: underWay.map(\.userID))::uuid[], \(Self.lease)::int)
            """)
        for delivery in (0..<rows.count).map({ WebhookDelivery(rows, $0) }) {
            requests.begin(delivery)
            send(delivery.request) { [requests] in requests.end(delivery, $0) }
        }
    }

    private func store(
        _ result: Result<FetchedPage, FetchError>, of delivery: WebhookDelivery, _ connection: inout Connection
    ) throws(PostgresError) {
        let ending = Self.ending(of: result, delivery.attempt, policy, chance: Double.random(in: 0...1))
        _ = try connection.query(
            """
            select private.end_webhook_delivery(\(delivery.id)::uuid, \(delivery.attempt)::int, \(ending.state),
                \(ending.status)::int, \(ending.reason), \(ending.seconds)::int)
            """)
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
}
