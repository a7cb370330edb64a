import Postgres
import TestDatabase
import Testing

@testable import Saving

@Suite(
    "Saving / older links in the search index",
    .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct SearchReindexerTests {
    private let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    @Test("links and tags of a version without search are indexed, and nothing is done a second time")
    func missing() throws {
        _ = try sql(
            """
            insert into public.links (user_id, raw_url, title)
            select \(fixture.user)::uuid, 'http://x.test/' || n, repeat('word ', 200) || n from generate_series(1, 700) as n
            """)
        _ = try sql("insert into public.tags (user_id, name) values (\(fixture.user)::uuid, 'Tea')")
        _ = try sql("delete from private.search_parts")
        _ = try sql("delete from private.search_tags")
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        try SearchReindexer().round(&connection) { false }
        let links = try sql("select count(*) from public.links").int(0, 0)
        #expect(try sql("select count(*) from private.search_parts where is_indexed and part = 0").int(0, 0) == links)
        #expect(try sql("select words from private.search_tags").text(0, 0) == " tea ")
        let written: SQL =
            "select array_agg(xmin::text || ctid::text order by link_id) from private.search_parts"
        let before = try sql(written).text(0, 0)
        try SearchReindexer().round(&connection) { false }
        #expect(try sql(written).text(0, 0) == before)
    }
}
