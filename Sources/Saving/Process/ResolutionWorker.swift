import Glibc
import HTTPFetch
import Jobs
import Postgres
import Synchronization
import Threads

/// Resolves URLs for users who wait for the result (`/functions/v1/resolve-url`). It uses one thread, the fetcher's event
/// loop for all transfers, and `parallelReads` threads that read pages, and never waits for jobs.
final class ResolutionWorker: Sendable {
    private let database: Database
    private let fetcher: Fetcher
    private let rules: AddressRules
    private let readPage: ReadPage
    private let state = Mutex(State())
    private let pages = FetchedPageQueue<(request: ResolutionRequest, fetched: FetchedPage)>()

    private struct State {
        var isStopping = false
        /// Requests that were taken and whose results are not stored yet.
        var running = 0
        var resolved: [(request: ResolutionRequest, resolution: Resolution)] = []
    }

    private struct ResolutionRequest {
        var id: String
        var userID: String
        var url: String
        /// Afterwards nobody waits for the result.
        let deadline = ContinuousClock.now + ResolutionWorker.fetchTime + .seconds(1)
    }

    /// Requests that are worked on at the same time. Further ones wait in the table.
    private static let maxRequests = 64

    /// Pages that are read at the same time, each of a different user.
    static let parallelReads = 2

    /// The longest fetch, from the lookup of the name to the last byte. The worker that waits for the result gives up a
    /// second later.
    private static let fetchTime = Duration.seconds(5)

    /// - Parameter settings: the settings of jobs. The initializer shortens the timeouts to the time that a user waits.
    init(_ database: Database, settings: FetchSettings, readPage: ReadPage) {
        var settings = settings
        settings.wanted = [.html]
        settings.limits.totalTime = min(settings.limits.totalTime, Self.fetchTime)
        settings.limits.timeWithoutProgress = min(settings.limits.timeWithoutProgress, Self.fetchTime)
        self.database = database
        self.readPage = readPage
        rules = settings.rules
        fetcher = Fetcher(settings)
    }

    /// Works on threads of its own until `stop`.
    func start() {
        for _ in 0..<Self.parallelReads { Thread.start { [self] in readPages() } }
        Thread.start { [self] in
            let notifications = ChannelSubscription(database, channel: "lectern_resolutions")
            while !isStopping {
                // The runner reports an unavailable database. One second prevents a busy loop.
                do { try work(notifications) } catch {
                    _ = notifications.wait(milliseconds: 1_000) { isStopping }
                }
            }
        }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        pages.stop()
        database.wakeSubscriptions()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func work(_ notifications: ChannelSubscription) throws(PostgresError) {
        // There may be requests from before an error.
        var mayHaveRequests = true
        while !isStopping {
            let areWaiting = mayHaveRequests
            let (isMore, isBusy) = try database.usingConnection { connection throws(PostgresError) in
                (areWaiting ? try take(&connection) : false, try storeResults(&connection))
            }
            // Results come from other threads, so the sleep is short while there are requests.
            let isNew = notifications.wait(milliseconds: isBusy ? 20 : 60_000) { isStopping }
            mayHaveRequests = isMore || isNew
        }
    }

    // MARK: - Requests

    /// Takes new requests, and deletes those for which nobody waits any more.
    ///
    /// - Returns: whether there may be more requests.
    private func take(_ connection: inout Connection) throws(PostgresError) -> Bool {
        let free = Self.maxRequests - state.withLock { $0.running }
        guard free > 0 else { return true }
        _ = try connection.query(
            "delete from private.resolutions where asked_at < clock_timestamp() - interval '1 minute'")
        let rows = try connection.query(
            """
            update private.resolutions set taken_at = clock_timestamp()
            where id in (
                select id from private.resolutions where taken_at is null
                order by asked_at limit \(literal: free) for update skip locked)
            returning id, user_id, url
            """)
        for row in 0..<rows.count {
            fetch(
                ResolutionRequest(
                    id: rows.text(row, 0) ?? "", userID: rows.text(row, 1) ?? "", url: rows.text(row, 2) ?? ""))
        }
        return rows.count == free
    }

    private func fetch(_ request: ResolutionRequest) {
        state.withLock { $0.running += 1 }
        fetcher.fetch(request.url) { [self] result in
            switch result {
            case .success(let fetched): pages.append((request, fetched), of: request.userID)
            case .failure(let error): end(request, resolution(of: request, error))
            }
        }
    }

    private func end(_ request: ResolutionRequest, _ resolution: Resolution) {
        state.withLock { $0.resolved.append((request, resolution)) }
    }

    // MARK: - Pages

    private func readPages() {
        while let entry = pages.take() {
            let (request, fetched) = entry.item
            let isLate = ContinuousClock.now > request.deadline
            end(request, isLate ? Resolution(outcome: "unreachable") : resolution(of: Page(fetched)))
            pages.end(entry)
        }
    }

    // MARK: - Results

    /// Stores the results of finished requests.
    ///
    /// - Returns: whether further requests are being worked on.
    private func storeResults(_ connection: inout Connection) throws(PostgresError) -> Bool {
        let (resolved, isBusy) = state.withLock { state in
            defer { state.resolved = [] }
            state.running -= state.resolved.count
            return (state.resolved, state.running > 0)
        }
        for (request, resolution) in resolved {
            _ = try connection.query(
                """
                update private.resolutions
                set outcome = \(resolution.outcome), resolved_url = \(resolution.url), title = \(resolution.title),
                    description = \(resolution.description)
                where id = \(request.id)::uuid
                """)
        }
        return isBusy
    }

    private struct Resolution {
        var outcome: String
        var url: String?
        var title: String?
        var description: String?
    }

    private func resolution(of page: Page) -> Resolution {
        let extracted = try? readPage(page)
        return Resolution(
            outcome: "resolved", url: CanonicalLink(page).resolvedURL, title: extracted?.title,
            description: extracted?.description)
    }

    private func resolution(of request: ResolutionRequest, _ error: FetchError) -> Resolution {
        // Only what is visible in the URL may be reported. A name that DNS resolves to a private address is reported as
        // unreachable, like any other failure.
        let isRefused = [.invalidURL, .blockedScheme].contains(error.reason) && error.hops == 0
        return Resolution(outcome: isRefused || rules.blocksURL(request.url) ? "refused" : "unreachable")
    }
}
