import Postgres
import Settings
import TestDatabase
import Testing

@testable import Saving

@Suite("Saving / purges", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct PurgeSchedulerTests {
    private let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(fixture.database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    /// Makes rows in the trash and merges of these ages in days.
    private func make(ages: [Int]) throws {
        for age in ages {
            _ = try sql(
                """
                insert into public.trash (user_id, link_id, raw_url, link, parts, deleted_at)
                values (\(fixture.user)::uuid, gen_random_uuid(), 'http://x.test/', '{}', '{}',
                    now() - make_interval(days => \(age)::int))
                """)
            _ = try sql(
                """
                insert into public.link_merges (user_id, survivor_id, merged_id, raw_url, reason, survivor_before,
                    survivor_after, link, parts, added, merged_at)
                values (\(fixture.user)::uuid, \(fixture.link)::uuid, gen_random_uuid(), 'http://x.test/', 'spelling',
                    '{}', '{}', '{}', '{}', '{}', now() - make_interval(days => \(age)::int))
                """)
        }
    }

    private func purge(_ scheduler: PurgeScheduler) throws {
        var connection = try Connection(fixture.database.conninfo("lectern_jobs"))
        try scheduler.purge(&connection) { false }
    }

    private func left() throws -> [Int?] {
        let rows = try sql(
            "select (select count(*) from public.trash), (select count(*) from public.link_merges)")
        return [rows.int(0, 0), rows.int(0, 1)]
    }

    @Test("what is older than its days is deleted for good, however much it is")
    func old() throws {
        try make(ages: [0, 29, 31, 400])
        _ = try sql(
            """
            insert into public.trash (user_id, link_id, raw_url, link, parts, deleted_at)
            select \(fixture.user)::uuid, gen_random_uuid(), 'http://x.test/', '{}', '{}', now() - interval '100 days'
            from generate_series(1, 250)
            """)
        try purge(.init(trash: 30, merges: 365))
        #expect(try left() == [2, 3])
    }

    @Test("one transaction deletes rows of one user, so that it does not wait for another user's writes")
    func turns() throws {
        try make(ages: [200])
        let other = "00000000-0000-4000-8000-0000000000aa"
        _ = try sql("insert into auth.users (id, email) values (\(other)::uuid, 'b@x.test')")
        _ = try sql(
            """
            insert into public.trash (user_id, link_id, raw_url, link, parts, deleted_at)
            values (\(other)::uuid, gen_random_uuid(), 'http://x.test/', '{}', '{}', now() - interval '100 days')
            """)
        var writer = try Connection(fixture.database.conninfo("lectern_admin"))
        _ = try writer.query("begin")
        _ = try writer.query("select rest.lock_writes(array[\(other)::uuid])")
        var jobs = try Connection(fixture.database.conninfo("lectern_jobs"))
        _ = try jobs.query("set lock_timeout = '1s'")
        let purge: SQL = "select private.purge_expired('public.trash', 90, 100)"
        #expect(try jobs.query(purge).int(0, 0) == 1)
        _ = try writer.query("commit")
        #expect(try jobs.query(purge).int(0, 0) == 1)
        #expect(try jobs.query(purge).int(0, 0) == 0)
    }

    @Test("what undoes a change of links is deleted after a day")
    func undos() throws {
        for age in [0, 2] {
            _ = try sql(
                """
                insert into private.link_changes (user_id, made_at)
                values (\(fixture.user)::uuid, now() - make_interval(days => \(age)::int))
                """)
        }
        try purge(.init())
        let left = try sql("select count(*) from private.link_changes").int(0, 0)
        #expect(left == 1)
    }

    @Test("without days nothing is deleted")
    func never() throws {
        try make(ages: [4_000])
        try purge(.init())
        #expect(try left() == [1, 1])
        let off = PurgeScheduler(try Settings(environment: ["LECTERN_TRASH_DAYS": "0", "LECTERN_MERGE_DAYS": "0"]))
        #expect(off == PurgeScheduler())
    }

    /// The number of lines in the log and among the last changes.
    private func lines() throws -> [Int?] {
        let rows = try sql(
            "select (select count(*) from private.change_log), (select count(*) from private.last_changes)")
        return [rows.int(0, 0), rows.int(0, 1)]
    }

    /// Makes the marks of the log this much older.
    private func age(_ interval: String) throws {
        _ = try sql("update private.change_marks set taken_at = taken_at - \(interval)::interval")
    }

    @Test("lines of the log are reduced to the last of each key after an hour and deleted after 90 days")
    func changes() throws {
        for title in ["a", "b"] {
            _ = try sql("update public.links set title = \(title) where id = \(fixture.link)::uuid")
        }
        let logged = try #require(try lines()[0])
        #expect(logged >= 3)
        try age("2 hours")
        try purge(.init())
        #expect(try lines() == [logged, 0], "the lines are newer than the mark of two hours ago")
        try age("2 hours")
        _ = try sql("update public.links set title = 'c' where id = \(fixture.link)::uuid")
        try purge(.init())
        #expect(try lines() == [1, 1])
        try age("91 days")
        try purge(.init())
        #expect(try lines() == [0, 0])
    }

    @Test("by default the trash is kept for 90 days and merges for a year")
    func defaults() throws {
        #expect(PurgeScheduler(try Settings(environment: [:])) == .init(trash: 90, merges: 365))
    }
}
