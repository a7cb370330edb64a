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

    @Test("ten texts of each user are indexed in turn, so no user waits for the many texts of another")
    func turns() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("delete from public.links")
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            insert into public.links (user_id, raw_url)
            select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 25) as n
            union all select \(other)::uuid, 'http://x.test/' || n from generate_series(1, 11) as n
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        var (counts, lastOwner) = ([Int](), 0)
        for _ in 1...8 {
            let batch = try connection.query(
                "select tried, last_owner from private.index_waiting_parts(\(lastOwner)::int, 60000)")
            counts.append(try #require(batch.int(0, 0)))
            lastOwner = try #require(batch.int(0, 1))
        }
        #expect(counts == [10, 10, 0, 10, 1, 0, 5, 0])
    }

    @Test("a user whose texts are being changed does not hold up the next one")
    func lockedTexts() throws {
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql("insert into public.links (user_id, raw_url) values (\(fixture.user)::uuid, 'http://x.test/')")
        _ = try sql("insert into public.links (user_id, raw_url) values (\(other)::uuid, 'http://x.test/')")
        var writer = try Connection(fixture.database.conninfo("lectern_admin"))
        _ = try writer.query("begin")
        _ = try writer.query("update public.links set title = 'x' where user_id = \(fixture.user)::uuid")
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try SearchIndexer().indexWaiting(&connection) { false } == 1)
        _ = try writer.query("commit")
        #expect(try SearchIndexer().indexWaiting(&connection) { false } > 0)
        #expect(try SearchIndexer().indexWaiting(&connection) { false } == 0)
    }

    @Test(
        "a long run of characters has the same keys as a short one, and a million characters take seconds",
        arguments: [100, 101])
    func longRuns(length: Int) throws {
        let rows = try sql(
            """
            select array(select unnest(private.run_keys(array[run])) order by 1)
                = array(select ':' || substr(run, i, 2) from generate_series(1, \(length)::int) as i order by 1)
            from (select string_agg(chr(19968 + n), '') as run from generate_series(1, \(length)::int) as n) as runs
            """)
        #expect(rows.bool(0, 0) == true)
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        _ = try admin.query("set statement_timeout = '300s'")
        _ = try admin.query("select private.text_keys(null, repeat('漢字かな', 250000))")
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
