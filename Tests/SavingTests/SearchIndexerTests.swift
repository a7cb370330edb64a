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

    @Test("a batch takes a few texts of each user, so no user waits for the many texts of another")
    func turns() throws {
        _ = try sql("insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000aa', 'b@x.test')")
        _ = try sql(
            """
            insert into public.links (user_id, raw_url)
            select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 250) as n
            union all select '00000000-0000-4000-8000-0000000000aa', 'http://x.test/'
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try connection.query("select private.index_waiting_parts(10, 10)").int(0, 0) == 11)
    }

    @Test("the indexer stops between two batches")
    func stop() throws {
        _ = try sql(
            """
            insert into public.links (user_id, raw_url)
            select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 250) as n
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try SearchIndexer().indexWaiting(&connection) { true } == 10)
    }
}
