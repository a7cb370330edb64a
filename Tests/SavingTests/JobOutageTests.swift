import Jobs
import Postgres
import Telemetry
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

/// What a job does when not the page has failed but the server: its lease, its database or its fetcher.
@Suite(
    "Saving / failures of the server",
    .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct JobOutageTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    // MARK: - Leases

    @Test(
        "a worker that lost the lease does not change the link, whether it retries or gives up",
        arguments: [SaveError.timedOut, .pageMissing])
    func lostLease(error: SaveError) throws {
        let ending = work(on: try take("slow")) { _ throws(SaveError) in
            #expect(throws: Never.self) {
                try runOut()
                _ = try take("fast")
            }
            throw error
        }
        #expect(ending == .leaseEnded)
        #expect(try said() == ["pending", nil, nil])
        #expect(try rows("select state, leased_by from private.jobs", columns: 2) == [["running", "fast"]])
    }

    @Test("a worker that lost the lease stores nothing")
    func lostLeaseWithPage() throws {
        _ = work(on: try take()) { saved throws(SaveError) in
            #expect(throws: Never.self) {
                try runOut()
                _ = try take()
            }
            return Self.page(saved)
        }
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try said() == ["pending", nil, nil])
    }

    // MARK: - The database and the fetcher

    /// Makes the database refuse with this SQLSTATE what a job stores.
    private func refuse(with sqlState: String) throws {
        var owner = try Connection(database.conninfo("lectern_admin"))
        try owner.script(
            """
            create function public.refuse() returns trigger language plpgsql
                as $$ begin raise exception 'refused' using errcode = '\(sqlState)'; end $$;
            set role lectern_owner;
            create trigger refuse before update on public.links
                for each row when (new.state = 'ready') execute function public.refuse();
            """)
    }

    @Test(
        "a failure of the server hands the job back: it counts no attempt and stores no reason for the page",
        arguments: ["53100", "53200", "53300", "57014", "40P01", "58030"])
    func outage(sqlState: String) throws {
        try refuse(with: sqlState)
        let policy = RetryPolicy(base: .seconds(7), attempts: 5)
        let ending = work(on: try take(), policy: policy) { saved throws(SaveError) in Self.page(saved) }
        #expect(
            ending == .handedBack(after: .seconds(7), JobFailure(reason: "database", message: "\(sqlState) refused")))
        #expect(try said() == ["pending", nil, nil])
        #expect(try jobs() == [["running", nil, "0"]])
    }

    @Test("without a database the job is handed back")
    func noDatabase() throws {
        let job = try take()
        let ending = SaveLink(
            Database("host=/nonexistent"),
            resolve: { _ throws(SaveError) in
                Issue.record("nothing is fetched for a link that cannot be read")
                throw .pageMissing
            }, readPage: UnrulyReader.readPage, policy: RetryPolicy(), log: Log(program: "tests", level: "error")
        )(job)
        guard case .handedBack(_, let why) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(why.reason == "database")
    }

    @Test("a stopped fetcher is not the site's failure")
    func fetcherStopped() throws {
        let ending = work(on: try take()) { _ throws(SaveError) in throw SaveError(FetchError.stopped) }
        #expect(ending == .handedBack(after: .zero, JobFailure(reason: "fetcher", message: FetchError.stopped.message)))
        #expect(try said() == ["pending", nil, nil])
    }

    @Test(
        "a page the database cannot hold counts as tried, and the link says so", arguments: ["22P05", "54000", "23514"])
    func unstorable(sqlState: String) throws {
        try refuse(with: sqlState)
        let ending = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(ending == .leaseEnded)
        #expect(
            try said() == [
                "pending", "not_stored", "The page was read but could not be stored. The server's log has the details.",
            ])
        #expect(try jobs() == [["pending", "not_stored", "1"]])
    }
}
