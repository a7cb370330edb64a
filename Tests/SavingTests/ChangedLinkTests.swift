import Jobs
import Postgres
import TestDatabase
import Testing

@testable import HTTPFetch
@testable import Saving

@Suite(
    "Saving / links whose URL changes",
    .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct ChangedLinkTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    @Test("a URL that changes while its page is fetched does not get the old page, but a new job")
    func changedDuring() throws {
        let ending = work(on: try take()) { saved throws(SaveError) in
            #expect(throws: Never.self) {
                try request("update public.links set raw_url = 'http://x.test/new' where id = \(link)::uuid")
            }
            return Self.page(saved)
        }
        #expect(ending == .leaseEnded)
        #expect(try fromThePage() == [["http://x.test/new", "pending", nil, nil, nil, nil, nil]])
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try jobs() == [["pending", nil, "0"]])
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        #expect(try rows("select url from public.articles") == [["http://x.test/new"]])
    }

    @Test(
        "a failure of the old URL is not stored on a link whose URL has changed",
        arguments: [SaveError.timedOut, .pageMissing])
    func changedBeforeFailure(error: SaveError) throws {
        _ = work(on: try take()) { _ throws(SaveError) in
            #expect(throws: Never.self) {
                try request("update public.links set raw_url = 'http://x.test/new' where id = \(link)::uuid")
            }
            throw error
        }
        #expect(try said() == ["pending", nil, nil])
        #expect(try jobs() == [["pending", nil, "0"]])
    }

    @Test("a page of another URL than the link's is not stored, even while the job is leased")
    func otherURL() throws {
        let job = try take()
        let store = LinkStore(Database(database.conninfo("lectern_jobs")), job: job)
        var state = try #require(try store.loadState())
        state.saved.url = "http://x.test/other"
        let page = try UnrulyReader.readPage(Self.page(FetchRequest(state.saved.url)))
        try store.store(CanonicalLink(page.page), state, SaveOutcome(chosen: page, stored: page, pages: [page]))
        #expect(try fromThePage() == [["http://x.test/old", "pending", nil, nil, nil, nil, nil]])
        #expect(try rows("select url from public.articles").isEmpty)
    }

    @Test(
        "a URL that changes afterwards takes the old page along, whoever changes it",
        arguments: [
            "authenticated", "service_role", "lectern_admin",
        ])
    func changedAfter(role: String) throws {
        _ = work(on: try take()) { saved throws(SaveError) in Self.page(saved) }
        _ = try sql("update public.links set title = 'My own words'")
        let change: SQL = "update public.links set raw_url = 'http://x.test/new', lang = 'fr' where id = \(link)::uuid"
        if role == "lectern_admin" { _ = try sql(change) } else { try request(change, role: role) }
        #expect(try fromThePage() == [["http://x.test/new", "pending", nil, nil, nil, "fr", nil]])
        #expect(try rows("select title from public.links") == [["My own words"]])
        #expect(try rows("select url from public.articles").isEmpty)
        #expect(try jobs() == [["pending", nil, "0"]])
    }
}
