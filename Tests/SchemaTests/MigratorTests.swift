import Postgres
import Schema
import TestDatabase
import Testing

@Suite("Schema / files")
struct MigrationFilesTests {
    @Test("the files of sql/ are numbered without gaps up to the version this build works with")
    func numbered() throws {
        let migrations = try Migration.all(in: TestDatabase.migrationsDirectory)
        #expect(migrations.map(\.version) == Array(1...SchemaVersion.required))
    }

    @Test("a folder without migrations is an error and not an empty schema")
    func missing() { #expect(throws: MigrationError.self) { _ = try Migration.all(in: "/nonexistent") } }
}

@Suite("Schema / migrator", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct MigratorTests {
    private let database: TestDatabase
    private let files: [Migration]

    init() throws {
        database = try TestDatabase(isMigrated: false)
        files = try Migration.all(in: TestDatabase.migrationsDirectory)
    }

    private func migrate(_ migrations: [Migration]) throws -> [String] {
        var admin = try Connection(database.conninfo("lectern_admin"))
        var applied: [String] = []
        try Migrator(migrations).migrate(&admin) { applied.append($0.name) }
        return applied
    }

    @Test("everything is applied once, in order, and again means nothing")
    func once() throws {
        #expect(try migrate(files) == files.map(\.name))
        #expect(try migrate(files) == [])
    }

    @Test("a dry run tells and changes nothing")
    func dryRun() throws {
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try Migrator(files).plan(&admin).count == files.count)
        #expect(try admin.query("select to_regclass('public.links') is null").bool(0, 0) == true)
    }

    @Test("two migrators at once end with one schema")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try migrate(files) } }
            try await group.waitForAll()
        }
        var admin = try Connection(database.conninfo("lectern_admin"))
        try SchemaVersion.check(&admin)
    }

    @Test("a migration that fails leaves nothing, and the ones before it stay")
    func failing() throws {
        let bad = Migration(
            version: files.count + 1, name: "bad.sql", text: "create table public.half (a int); select 1/0")
        let error = #expect(throws: MigrationError.self) { _ = try migrate(files + [bad]) }
        #expect(error?.description.contains("bad.sql failed and nothing of it was kept") == true)
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try admin.query("select to_regclass('public.half') is null").bool(0, 0) == true)
        try SchemaVersion.check(&admin)
    }

    @Test("a file that was changed after it was applied is refused")
    func changed() throws {
        _ = try migrate(files)
        var edited = files
        edited[0] = Migration(version: 1, name: files[0].name, text: files[0].text + "-- edited")
        #expect(throws: MigrationError.changed(name: files[0].name)) { _ = try migrate(edited) }
    }

    @Test("a database newer than the program is refused by migrator and workers")
    func newer() throws {
        let next = Migration(version: files.count + 1, name: "next.sql", text: "select 1")
        _ = try migrate(files + [next])
        #expect(throws: MigrationError.unknown(version: files.count + 1, name: "next.sql")) { _ = try migrate(files) }
        var worker = try Connection(database.conninfo("authenticator"))
        #expect(throws: PostgresError.self) { try SchemaVersion.check(&worker) }
    }

    @Test("a migration that fills in rows reaches every user's, although row-level security is forced on the owner")
    func backFill() throws {
        _ = try migrate(files)
        for user in [try database.makeUser("a@example.org"), try database.makeUser("b@example.org")] {
            var admin = try Connection(database.conninfo("lectern_admin"))
            _ = try admin.query("insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/')")
        }
        let asOwner = Migration(
            version: files.count + 1, name: "owner.sql", text: "update public.links set description = 'as owner'")
        let asAdmin = Migration(
            version: files.count + 2, name: "admin.sql",
            text: "set local role lectern_admin; update public.links set title = 'filled'")
        _ = try migrate(files + [asOwner, asAdmin])
        var admin = try Connection(database.conninfo("lectern_admin"))
        let rows = try admin.query(
            "select count(*) filter (where title = 'filled'), count(description), count(*) from public.links")
        #expect(rows.int(0, 0) == 2)
        #expect(rows.int(0, 1) == 0, "the owner is bound by row-level security")
        #expect(rows.int(0, 2) == 2)
    }
}
