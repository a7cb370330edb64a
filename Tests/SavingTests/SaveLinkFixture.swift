import Jobs
import Postgres
import Telemetry
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

/// A user with one saved link, on a database of their own.
struct SaveLinkFixture {
    let database: TestDatabase
    let user: String
    let link: String

    init() throws {
        database = try TestDatabase()
        user = try database.makeUser("ann@example.org")
        var admin = try Connection(database.conninfo("lectern_admin"))
        link = try #require(
            try admin.query(
                "insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/old') returning id"
            ).text(0, 0))
    }
}

/// A suite about what `SaveLink` does with the link of a fixture. Events in the middle of a job happen in the closure
/// that replaces the network, so no test waits.
protocol SaveLinkSuite {
    var fixture: SaveLinkFixture { get }
}

extension SaveLinkSuite {
    var database: TestDatabase { fixture.database }
    var user: String { fixture.user }
    var link: String { fixture.link }

    func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    func rows(_ text: SQL, columns: Int = 1) throws -> [[String?]] {
        let rows = try sql(text)
        return (0..<rows.count).map { row in (0..<columns).map { rows.text(row, $0) } }
    }

    /// Runs a statement as the link's owner, or as a server with the service key.
    func request(_ statement: SQL, role: String = "authenticated") throws {
        let claims =
            role == "authenticated" ? #"{"sub":"\#(user)","role":"authenticated"}"# : #"{"role":"service_role"}"#
        _ = try Database(database.conninfo("authenticator")).transaction(
            as: Identity(role: role, claims: claims), [statement])
    }

    func take(_ runner: String = "a") throws -> Job {
        try #require(
            try JobQueue(Database(database.conninfo("lectern_jobs")), runner: runner, lease: 600).take(1).first)
    }

    /// Lets all leases expire.
    func runOut() throws { _ = try sql("update private.jobs set leased_until = now() - interval '1 second'") }

    func work(
        on job: Job, policy: RetryPolicy = RetryPolicy(base: .zero, attempts: 5), hosts: HostRateLimiter = .unlimited,
        crawlDelays: CrawlDelayCache = .none, quotas: Quotas = Quotas(),
        resolve: @escaping (FetchRequest) throws(SaveError) -> Page?
    ) -> JobEnding {
        SaveLink(
            Database(database.conninfo("lectern_jobs")), resolve: resolve, readPage: UnrulyReader.readPage,
            hosts: hosts,
            crawlDelays: crawlDelays, quotas: quotas, policy: policy, log: Log(program: "tests", level: "error")
        )(job)
    }

    static func page(_ saved: FetchRequest) -> Page {
        let sentence =
            "The reader stood at the lectern and read, slowly and aloud, what was written there, line by line. "
        let paragraphs = (0..<8).map { _ in "<p>\(String(repeating: sentence, count: 4))</p>" }.joined()
        return Page(
            url: saved.url, contentType: "text/html",
            html: """
                <html lang="en"><head><title>Of \(saved.url)</title><meta property="og:site_name" content="X">
                <meta property="og:image" content="http://x.test/dot.png"></head>
                <body><article><h1>Of \(saved.url)</h1>\(paragraphs)</article></body></html>
                """)
    }

    func fromThePage() throws -> [[String?]] {
        try rows(
            "select raw_url, state, resolved_url, image, site_name, lang, word_count from public.links where id = \(link)::uuid",
            columns: 7)
    }

    func said() throws -> [String?] {
        let said = try rows(
            "select state, reason, reason_message from public.links where id = \(link)::uuid", columns: 3)
        return try #require(said.first)
    }

    func jobs() throws -> [[String?]] {
        try rows("select state, reason, attempts from private.jobs order by id", columns: 3)
    }
}

extension SaveError {
    /// A failure that may go away by itself.
    static let timedOut = SaveError(FetchError(.timeout, "The site did not answer in time."))
    /// A failure that is final.
    static let pageMissing = SaveError(FetchError(.httpError, "The site has no such page (status 404).", status: 404))
}
