import Postgres
import TestDatabase
import Testing

@testable import Saving

@Suite("Saving / Markdown", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct MarkdownMakerTests {
    private let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    @Test("all articles without Markdown get theirs, and a second round finds nothing to do")
    func all() throws {
        _ = try sql(
            """
            with link as (
                insert into public.links (user_id, raw_url)
                select \(fixture.user)::uuid, 'http://x.test/' || n from generate_series(1, 12) as n returning id
            )
            insert into public.articles (link_id, user_id, url, content, text_content, length, word_count,
                extractor_version)
            select id, \(fixture.user)::uuid, '', '<p>A <b>word</b>.', 'A word.', 7, 2, 1 from link
            """)
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        #expect(try MarkdownMaker().makeWaiting(&connection) { false } == 12)
        #expect(try MarkdownMaker().makeWaiting(&connection) { false } == 0)
        let made = try sql("select count(*) from private.markdown_files where markdown = 'A **word**.' || chr(10)")
        #expect(made.int(0, 0) == 12)
    }

    @Test("Markdown of a text that has changed since it was read is not stored")
    func outdated() throws {
        _ = try sql(
            """
            with link as (
                insert into public.links (user_id, raw_url) values (\(fixture.user)::uuid, 'http://x.test/') returning id
            )
            insert into public.articles (link_id, user_id, url, content, text_content, length, word_count,
                extractor_version)
            select id, \(fixture.user)::uuid, '', '<p>Old', 'Old', 3, 1, 1 from link
            """)
        _ = try sql("update public.articles set content = '<p>New'")
        _ = try sql("select private.store_markdown(link_id, 1, 'Old') from private.markdown_files")
        #expect(try sql("select markdown from private.markdown_files").text(0, 0) == nil)
        _ = try sql("select private.store_markdown(link_id, 2, 'New') from private.markdown_files")
        #expect(try sql("select markdown from private.markdown_files").text(0, 0) == "New")
    }
}
