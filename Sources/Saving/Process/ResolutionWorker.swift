import Glibc
import HTTPFetch
import Jobs
import Postgres
import Synchronization
import Threads

/// Resolves URLs for users who wait for the result (`/functions/v1/resolve-url`). It uses one thread, one connection,
/// and the fetcher's event loop for all transfers, and never waits for jobs.
final class ResolutionWorker: Sendable {
    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let fetcher: Fetcher
    private let rules: AddressRules
    private let readPage: ReadPage
    private let state = Mutex(State())

    private struct State {
        var isStopping = false
        var running = 0
        var fetched: [(request: ResolutionRequest, result: Result<FetchedPage, FetchError>)] = []
    }

    private struct ResolutionRequest {
        var id: String
        var url: String
    }

    /// Transfers that run at the same time. Further requests wait in the table.
    private static let maxTransfers = 64

    /// The longest fetch, from the lookup of the name to the last byte. The worker that waits for the result gives up a
    /// second later.
    private static let fetchTime = Duration.seconds(5)

    /// - Parameter settings: the settings of jobs. The initializer shortens the timeouts to the time that a user waits.
    init(
        conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void,
        settings: FetchSettings, readPage: ReadPage
    ) {
        var settings = settings
        settings.wanted = [.html]
        settings.limits.totalTime = min(settings.limits.totalTime, Self.fetchTime)
        settings.limits.timeWithoutProgress = min(settings.limits.timeWithoutProgress, Self.fetchTime)
        self.conninfo = conninfo
        self.prepare = prepare
        self.readPage = readPage
        rules = settings.rules
        fetcher = Fetcher(settings)
    }

    /// Works on a thread of its own until `stop`.
    func start() {
        Thread.start { [self] in
            while !isStopping {
                // The runner reports an unavailable database. One second prevents a busy loop.
                do { try workWhileConnected() } catch { sleep(1) }
            }
        }
    }

    func stop() { state.withLock { $0.isStopping = true } }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func workWhileConnected() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        // This session is idle between notifications, and the role closes idle sessions by default.
        try connection.script("set idle_session_timeout = 0; listen lectern_resolutions")
        // Requests from before `listen` have sent no notification to this connection.
        var mayHaveRequests = true
        while !isStopping {
            if mayHaveRequests { mayHaveRequests = try take(&connection) }
            let isBusy = try storeResults(&connection)
            // Results come from another thread, so the sleep is short while a transfer runs.
            if !mayHaveRequests, try !connection.notifications(timeout: isBusy ? 20 : 1_000).isEmpty {
                mayHaveRequests = true
            }
        }
    }

    // MARK: - Requests

    /// Takes new requests, and deletes those for which nobody waits any more.
    ///
    /// - Returns: whether there may be more requests.
    private func take(_ connection: inout Connection) throws(PostgresError) -> Bool {
        let free = Self.maxTransfers - state.withLock { $0.running }
        guard free > 0 else { return true }
        _ = try connection.query(
            "delete from private.resolutions where asked_at < clock_timestamp() - interval '1 minute'")
        let rows = try connection.query(
            """
            update private.resolutions set taken_at = clock_timestamp()
            where id in (
                select id from private.resolutions where taken_at is null
                order by asked_at limit \(literal: free) for update skip locked)
            returning id, url
            """)
        for row in 0..<rows.count {
            fetch(ResolutionRequest(id: rows.text(row, 0) ?? "", url: rows.text(row, 1) ?? ""))
        }
        return rows.count == free
    }

    private func fetch(_ request: ResolutionRequest) {
        state.withLock { $0.running += 1 }
        fetcher.fetch(request.url) { [self] result in
            state.withLock { $0.fetched.append((request, result)) }
        }
    }

    // MARK: - Results

    /// Stores the results of transfers that have ended.
    ///
    /// - Returns: whether further transfers run.
    private func storeResults(_ connection: inout Connection) throws(PostgresError) -> Bool {
        let (fetched, isBusy) = state.withLock { state in
            defer { state.fetched = [] }
            state.running -= state.fetched.count
            return (state.fetched, state.running > 0)
        }
        for (request, result) in fetched {
            let resolution = resolution(of: request, result)
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

    private func resolution(of request: ResolutionRequest, _ result: Result<FetchedPage, FetchError>) -> Resolution {
        switch result {
        case .success(let fetched):
            let page = Page(fetched)
            let extracted = try? readPage(page)
            return Resolution(
                outcome: "resolved", url: CanonicalLink(page).resolvedURL, title: extracted?.title,
                description: extracted?.description)
        case .failure(let error):
            // Only what is visible in the URL may be reported. A name that DNS resolves to a private address is
            // reported as unreachable, like any other failure.
            let isRefused = [.invalidURL, .blockedScheme].contains(error.reason) && error.hops == 0
            return Resolution(outcome: isRefused || rules.blocksURL(request.url) ? "refused" : "unreachable")
        }
    }
}
