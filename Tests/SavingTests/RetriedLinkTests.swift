import Jobs
import Postgres
import TestDatabase
import Testing

@testable import Saving

@Suite(
    "Saving / links tried again on request",
    .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct RetriedLinkTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    @Test(
        "asking for another try clears away what was given up, however it is asked",
        arguments: [
            "update public.links set state = 'pending'",
            "update public.links set raw_url = 'http://x.test/old', list = 'read'",
            """
            insert into public.links (raw_url, list) values ('http://x.test/old', 'read')
                on conflict (user_id, raw_url) do update set raw_url = excluded.raw_url, list = excluded.list
            """,
        ])
    func askedAgain(change: String) throws {
        for _ in 0..<2 {
            _ = work(on: try take()) { _ throws(SaveError) in throw .pageMissing }
            #expect(try jobs() == [["buried", "http_error", "0"]])
            try request(SQL(stringLiteral: change))
            #expect(try said() == ["pending", nil, nil])
            #expect(try jobs() == [["pending", nil, "0"]])
        }
    }

    @Test("other changes of a failed link start no job")
    func notAsked() throws {
        _ = work(on: try take()) { _ throws(SaveError) in throw .pageMissing }
        try request("update public.links set title = 'Mine', status = 'read'")
        #expect(try said().first == "failed")
        #expect(try jobs() == [["buried", "http_error", "0"]])
    }
}
