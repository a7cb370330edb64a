import FeedDocuments
import Glibc
import HTTPFetch
import Postgres
import Settings

/// Fetches the feeds that users subscribe to, and saves their new entries as links; see sql/schema/subscriptions.sql.
///
/// The fetcher refuses private addresses, so that a feed reaches no more than a saved link does.
struct FeedFetcher: Sendable {
    /// Sends the request for a feed.
    typealias Send = @Sendable (FetchRequest, @escaping @Sendable (Result<FetchedPage, FetchError>) -> Void) -> Void

    private let send: Send
    private let hosts: HostRateLimiter
    /// Links that a user may have, and bytes below; 0: no limit.
    private let linkQuota: Int
    private let storageQuota: Int
    private let requests = FetchesUnderWay<DueFeed>()

    /// The number of feeds that are fetched at the same time. Their documents are in memory together.
    private static let atOnce = 12
    /// The number of feeds of one user that are started together. A user who has as many under way gets no more.
    private static let atOncePerUser = 3
    /// Seconds after which a feed may be fetched again, since its fetcher has died. Longer than a request may take.
    private static let lease = 300
    /// Subscriptions of other users to the same URL for which one transaction stores a document.
    private static let copiesAtOnce = 50
    /// Bytes of the largest document.
    private static let maxBytes = 10_000_000

    init(_ hosts: HostRateLimiter = .unlimited, linkQuota: Int = 0, storageQuota: Int = 0, send: @escaping Send) {
        (self.send, self.hosts) = (send, hosts)
        (self.linkQuota, self.storageQuota) = (linkQuota, storageQuota)
    }

    /// - Parameters:
    ///   - fetching: the settings of the fetcher of pages.
    ///   - hosts: shared with the jobs of saved links.
    init(_ fetching: FetchSettings, _ settings: Settings, _ hosts: HostRateLimiter) {
        var fetching = fetching
        fetching.limits.compressedBytes = min(fetching.limits.compressedBytes, Self.maxBytes)
        fetching.limits.inflatedBytes = min(fetching.limits.inflatedBytes, Self.maxBytes)
        fetching.wanted = [.html, .text, .other]
        fetching.accept =
            "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, "
            + "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.5, */*;q=0.3"
        let fetcher = Fetcher(fetching)
        self.init(
            hosts, linkQuota: settings.number("LINK_QUOTA"), storageQuota: settings.number("STORAGE_QUOTA")
        ) { request, complete in fetcher.fetch(request, complete: complete) }
    }

    /// One round, run every second.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in
            while !hasToStop(), try work(&connection) {}
        }
    }

    /// Stores what has arrived, and requests feeds that are due.
    ///
    /// - Returns: whether there was something to do.
    func work(_ connection: inout Connection) throws(PostgresError) -> Bool {
        var hasStored = false
        while let (feed, result) = requests.takeArrived() {
            try store(result, of: feed, &connection)
            hasStored = true
        }
        let underWay = requests.subjects
        let free = Self.atOnce - underWay.count
        guard free > 0 else { return hasStored }
        let busy = Dictionary(grouping: underWay, by: \.userID).filter { $0.value.count >= Self.atOncePerUser }.keys
        let rows = try connection.query(
            """
            select id, user_id, url, fetches, copy_url, etag, last_modified
            from private.take_feeds(\(free)::int, \(Self.atOncePerUser)::int,
                string_to_array(\(busy.joined(separator: ",")), ',')::uuid[],
                \(array: underWay.map(\.url))::text[], \(Self.lease)::int)
            """)
        for row in 0..<rows.count { try begin(DueFeed(rows, row), &connection) }
        return hasStored || rows.count > 0
    }

    // MARK: - Steps

    /// Requests a feed, or puts it off while others fetch from its site.
    private func begin(_ feed: DueFeed, _ connection: inout Connection) throws(PostgresError) {
        if let host = feed.host,
            case .later(let delay) = hosts.requestFetch(host, of: feed.userID, isAwaited: false)
        {
            let seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
            _ = try connection.query(
                "select private.put_off_feed(\(feed.id)::uuid, \(feed.fetch)::int, \(seconds)::int)")
            return
        }
        requests.begin(feed)
        send(feed.request) { [requests] in requests.end(feed, $0) }
    }

    private func store(
        _ result: Result<FetchedPage, FetchError>, of feed: DueFeed, _ connection: inout Connection
    ) throws(PostgresError) {
        let outcome = FeedOutcome(of: result, now: time(nil))
        if let host = feed.host { hosts.fetchEnded(host, retryAfter: outcome.retryAfter) }
        try keep(outcome, of: feed, &connection)
        for copy in try copies(of: feed, after: outcome, &connection) { try keep(outcome, of: copy, &connection) }
    }

    /// Feeds of other users that have the same address and need no request of their own.
    private func copies(
        of feed: DueFeed, after outcome: FeedOutcome, _ connection: inout Connection
    ) throws(PostgresError) -> [DueFeed] {
        let isUnchanged: Bool
        switch outcome {
        case .unchanged: isUnchanged = true
        case .document: isUnchanged = false
        case .page, .failed: return []
        }
        let rows = try connection.query(
            """
            select id, user_id, url, fetches, copy_url, etag, last_modified
            from private.take_copies(
                \(feed.id)::uuid, \(feed.url), \(isUnchanged), \(Self.copiesAtOnce)::int, \(Self.lease)::int)
            """)
        return (0..<rows.count).map { DueFeed(rows, $0) }
    }

    private func keep(
        _ outcome: FeedOutcome, of feed: DueFeed, _ connection: inout Connection
    ) throws(PostgresError) {
        do throws(PostgresError) {
            try store(outcome, of: feed, &connection)
        } catch .refused(let refusal) where !Self.passing.contains(String(refusal.sqlState.prefix(2))) {
            // The document cannot be stored, and the next attempt would fail in the same way.
            try fail(feed, FeedOutcome.Failure(reason: "The feed could not be stored."), &connection)
        }
    }

    /// Classes of SQLSTATE whose cause is not the document.
    private static let passing: Set = ["08", "40", "53", "57"]

    private func store(
        _ outcome: FeedOutcome, of feed: DueFeed, _ connection: inout Connection
    ) throws(PostgresError) {
        switch outcome {
        case .unchanged(let movedTo):
            if let movedTo { _ = try move(feed, to: movedTo, atOnce: false, &connection) }
            _ = try connection.query("select private.keep_feed(\(feed.id)::uuid, \(feed.fetch)::int)")
        case .document(let document, let page):
            if let movedTo = page.permanentURL { _ = try move(feed, to: movedTo, atOnce: false, &connection) }
            let text = try documentText(document, page, of: feed, &connection)
            _ = try connection.query(
                """
                select private.store_feed(
                    \(feed.id)::uuid, \(feed.fetch)::int, \(text)::jsonb, \(linkQuota)::bigint, \(storageQuota)::bigint)
                """)
        case .page(let feedURL):
            if try move(feed, to: feedURL, atOnce: true, &connection) { return }
            let reason = "The address leads to a web page, and you have the feed that it names already."
            try fail(feed, FeedOutcome.Failure(reason: reason, isFinal: true), &connection)
        case .failed(let failure):
            try fail(feed, failure, &connection)
        }
    }

    /// The document as `private.store_feed` reads it. Entries that the feed has had are left out.
    private func documentText(
        _ document: FeedDocument, _ page: FetchedPage, of feed: DueFeed, _ connection: inout Connection
    ) throws(PostgresError) -> String {
        let found = StoredFeed(document, page)
        let rows = try connection.query(
            """
            select place from private.new_feed_entries(
                \(feed.id)::uuid, array(select jsonb_array_elements_text(\(found.keys)::jsonb))) as place
            """)
        return found.text(entries: (0..<rows.count).compactMap { rows.int($0, 0) })
    }

    private func move(
        _ feed: DueFeed, to url: String, atOnce: Bool, _ connection: inout Connection
    ) throws(PostgresError) -> Bool {
        guard url != feed.url, (8...2_048).contains(url.utf8.count) else { return false }
        let rows = try connection.query(
            "select private.move_feed(\(feed.id)::uuid, \(feed.fetch)::int, \(url), \(atOnce))")
        return rows.bool(0, 0) ?? false
    }

    private func fail(
        _ feed: DueFeed, _ failure: FeedOutcome.Failure, _ connection: inout Connection
    ) throws(PostgresError) {
        _ = try connection.query(
            """
            select private.fail_feed(\(feed.id)::uuid, \(feed.fetch)::int, \(failure.reason),
                \(failure.retryAfter ?? 0)::int, \(failure.isFinal))
            """)
    }
}
