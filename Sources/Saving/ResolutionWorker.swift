import Glibc
import HTTPFetch
import Postgres
import Synchronization
import Threads

/// Answers users who wait to hear where a URL leads (`/functions/v1/resolve-url`), before and beside all jobs: one
/// thread, one connection, and the fetcher's event loop for as many transfers as there are questions.
final class ResolutionWorker: Sendable {
    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let fetcher: Fetcher
    private let rules: AddressRules
    private let readPage: ReadPage
    private let state = Mutex(State())

    private struct State {
        var isStopping = false
        var underWay = 0
        var fetched: [(question: Question, result: Result<FetchedPage, FetchError>)] = []
    }

    private struct Question {
        var id: String
        var url: String
    }

    /// Transfers at once; more questions wait in the table.
    private static let most = 64

    /// - Parameter settings: of the jobs; here a fetch has only as long as somebody waits.
    init(
        conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void,
        settings: FetchSettings, readPage: ReadPage
    ) {
        var settings = settings
        settings.wanted = [.html]
        settings.limits.totalTime = min(settings.limits.totalTime, .seconds(6))
        settings.limits.timeWithoutProgress = min(settings.limits.timeWithoutProgress, .seconds(6))
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
                // The runner reports a database that is away; the questions wait for nobody.
                do { try answerWhileConnected() } catch { Self.pause() }
            }
        }
    }

    func stop() { state.withLock { $0.isStopping = true } }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func answerWhileConnected() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        // This session is idle between notifications, and the role closes idle sessions by default.
        try connection.script("set idle_session_timeout = 0; listen lectern_resolutions")
        // What was asked before we listened announced itself to nobody.
        var mayBeAsked = true
        while !isStopping {
            if mayBeAsked { mayBeAsked = try take(&connection) }
            let isBusy = try answer(&connection)
            // Answers come from another thread, so the sleep is short while some are awaited.
            if !mayBeAsked, try !connection.notifications(timeout: isBusy ? 20 : 1_000).isEmpty { mayBeAsked = true }
        }
    }

    // MARK: - Questions

    /// Takes what is asked, and forgets what nobody can wait for any more.
    ///
    /// - Returns: whether there may be more.
    private func take(_ connection: inout Connection) throws(PostgresError) -> Bool {
        let room = Self.most - state.withLock { $0.underWay }
        guard room > 0 else { return true }
        _ = try connection.query("delete from private.resolutions where asked_at < clock_timestamp() - interval '1 minute'")
        let rows = try connection.query(
            """
            update private.resolutions set taken_at = clock_timestamp()
            where id in (
                select id from private.resolutions where taken_at is null
                order by asked_at limit \(literal: room) for update skip locked)
            returning id, url
            """)
        for row in 0..<rows.count { fetch(Question(id: rows.text(row, 0) ?? "", url: rows.text(row, 1) ?? "")) }
        return rows.count == room
    }

    private func fetch(_ question: Question) {
        state.withLock { $0.underWay += 1 }
        fetcher.fetch(question.url) { [self] result in
            state.withLock { $0.fetched.append((question, result)) }
        }
    }

    // MARK: - Answers

    /// - Returns: whether more answers are to come.
    private func answer(_ connection: inout Connection) throws(PostgresError) -> Bool {
        let (fetched, isBusy) = state.withLock { state in
            defer { state.fetched = [] }
            state.underWay -= state.fetched.count
            return (state.fetched, state.underWay > 0)
        }
        for (question, result) in fetched {
            let answer = answer(to: question, result)
            _ = try connection.query(
                """
                update private.resolutions
                set outcome = \(answer.outcome), resolved_url = \(answer.url), title = \(answer.title),
                    description = \(answer.description)
                where id = \(question.id)::uuid
                """)
        }
        return isBusy
    }

    private struct Answer {
        var outcome: String
        var url: String?
        var title: String?
        var description: String?
    }

    private func answer(to question: Question, _ result: Result<FetchedPage, FetchError>) -> Answer {
        switch result {
        case .success(let fetched):
            let page = Page(fetched)
            let reading = try? readPage(page)
            return Answer(
                outcome: "resolved", url: CanonicalLink(page).resolvedURL, title: reading?.title,
                description: reading?.description)
        case .failure(let error):
            // What the asker can see in the URL already may be said; a name that only DNS leads into our network is
            // unreachable like any other.
            let isRefused = [.invalidURL, .blockedScheme].contains(error.reason) && error.hops == 0
            return Answer(outcome: isRefused || rules.blocksURL(question.url) ? "refused" : "unreachable")
        }
    }

    /// After a failure, so that a database that is away is not asked without pause.
    private static func pause() { sleep(1) }
}
