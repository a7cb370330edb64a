import Postgres
import TestDatabase
import Testing

@testable import Pictures

@Suite("Pictures / queue", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct PictureQueueTests {
    private let database: TestDatabase
    private let ann: String
    private let bob: String

    init() throws {
        database = try TestDatabase()
        ann = try database.makeUser("ann@example.org")
        bob = try database.makeUser("bob@example.org")
    }

    private func queue(parallel: Int = 8, mode: PictureSettings.Mode = .onSave) -> PictureQueue {
        PictureQueue(
            database: Database(database.conninfo("lectern_jobs")), lease: 600, parallel: parallel, mode: mode)
    }

    @discardableResult
    private func sql(_ text: SQL) throws -> Rows {
        var admin = try Connection(database.conninfo("lectern_admin"))
        return try admin.query(text)
    }

    /// Saves a link with this many pictures, and returns its id.
    @discardableResult
    private func save(pictures: Int, of user: String) throws -> String {
        let link = try #require(
            try sql(
                """
                insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/' || gen_random_uuid())
                returning id
                """
            ).text(0, 0))
        try sql(
            """
            insert into public.link_pictures (link_id, user_id, source)
            select \(link)::uuid, \(user)::uuid, 'http://x.test/' || n from generate_series(1, \(pictures)::int) n
            """)
        return link
    }

    /// The user opens a link.
    private func open(_ link: String, as user: String) throws {
        let identity = Identity(role: "authenticated", claims: #"{"sub":"\#(user)","role":"authenticated"}"#)
        _ = try Database(database.conninfo("authenticator")).transaction(
            as: identity, ["select public.fetch_pictures(\(link)::uuid)"])
    }

    /// The owners of the next jobs.
    private func next(_ count: Int, _ queue: PictureQueue) throws -> [String] {
        try (0..<count).compactMap { _ in try queue.takeJob()?.user }
    }

    @Test("users take turns, however many pictures one of them has and whoever asked for them first")
    func turns() throws {
        let link = try save(pictures: 40, of: ann)
        try save(pictures: 2, of: bob)
        try open(link, as: ann)
        let turns = try next(4, queue())
        #expect(Set(turns[0..<2]) == [ann, bob] && Set(turns[2..<4]) == [ann, bob])
        #expect(try next(2, queue()) == [ann, ann])
    }

    @Test("the pictures of an opened article come before the other pictures of its user")
    func opened() throws {
        try save(pictures: 3, of: ann)
        let link = try save(pictures: 2, of: ann)
        try open(link, as: ann)
        for _ in 0..<2 {
            let job = try #require(try queue().takeJob())
            #expect(
                try sql("select link_id from public.link_pictures where id = \(job.picture)::uuid").text(0, 0) == link)
        }
    }

    @Test("one user's pictures leave a place for another's")
    func places() throws {
        try save(pictures: 20, of: ann)
        #expect(try next(8, queue(parallel: 4)) == [ann, ann, ann])
        try save(pictures: 1, of: bob)
        #expect(try next(8, queue(parallel: 4)) == [bob])
    }

    @Test("the lists of links are made in turns, too")
    func listings() throws {
        for _ in 0..<10 { try save(pictures: 0, of: ann) }
        try save(pictures: 0, of: bob)
        try sql(
            """
            insert into private.picture_listings (link_id, user_id, run_at)
            select id, user_id, case when user_id = \(ann)::uuid then 'epoch' else now() end from public.links
            """)
        let queue = queue()
        let users = try (0..<2).compactMap { _ in try queue.takeListing()?.user }
        #expect(Set(users) == [ann, bob])
    }

    @Test("the time to the next job is that of waiting pictures, unless pictures are switched off")
    func timeToNext() throws {
        #expect(try queue().millisecondsToNext(limit: 5_000) == 5_000)
        try save(pictures: 1, of: ann)
        #expect(try queue().millisecondsToNext(limit: 5_000) == 0)
        #expect(try queue(mode: .off).millisecondsToNext(limit: 5_000) == 5_000)
    }
}
