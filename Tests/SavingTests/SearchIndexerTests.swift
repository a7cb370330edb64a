import Postgres
import TestDatabase
import Testing

@testable import Saving

@Suite("Saving / search index", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct SearchIndexerTests {
    private let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    @Test("all waiting texts are indexed, however many they are, and a second round finds nothing to do")
    func all() throws {
        _ = try sql(
            """
            insert into public.links (user_id, raw_url, title)
            select \(fixture.user)::uuid, 'http://x.test/' || n, 'Title ' || n from generate_series(1, 250) as n
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try SearchIndexer().indexWaiting(&connection) { false } >= 250)
        #expect(try SearchIndexer().indexWaiting(&connection) { false } == 0)
        #expect(try sql("select count(*) from private.search_parts where not is_indexed").int(0, 0) == 0)
    }

    @Test("a batch whose time is up goes on with the next user, so no user waits for the many texts of another")
    func turns() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("delete from public.links")
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            insert into public.links (user_id, raw_url)
            select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 250) as n
            union all select \(other)::uuid, 'http://x.test/'
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        var lastOwner = 0
        for _ in 1...2 {
            let batch = try connection.query(
                "select tried, last_owner from private.index_waiting_parts(\(lastOwner)::int, 0)")
            #expect(batch.int(0, 0) == 1)
            lastOwner = try #require(batch.int(0, 1))
        }
        let waiting = try sql(
            "select user_id, count(*) from private.search_parts where not is_indexed group by user_id")
        #expect(waiting.count == 1 && waiting.int(0, 1) == 249)
    }

    @Test("of a user with many texts, ten are indexed before those of the next user, and then ten again")
    func tens() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("delete from public.links")
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            insert into public.links (user_id, raw_url)
            select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 25) as n
            union all select \(other)::uuid, 'http://x.test/'
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try connection.query("select tried from private.index_waiting_parts(0, 60000)").int(0, 0) == 26)
        // Each text is written in a transaction of its own number, one after another.
        let before = try sql(
            """
            select count(*) from private.search_parts
            where user_id = \(fixture.user)::uuid and xmin::text::bigint < (
                select xmin::text::bigint from private.search_parts where user_id = \(other)::uuid)
            """)
        #expect(before.int(0, 0) == 10)
    }

    @Test("a long run of characters without spaces takes time in proportion to its length")
    func longRuns() throws {
        let keys = try sql("select cardinality(private.text_keys(null, repeat('漢字かな', 50000)))")
        #expect(keys.int(0, 0) == 200_000)
    }

    @Test("the indexer stops between two batches")
    func stop() throws {
        _ = try sql(
            """
            insert into public.links (user_id, raw_url)
            select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 250) as n
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try SearchIndexer(milliseconds: 0).indexWaiting(&connection) { true } == 1)
    }
}
