import Foundation
import Postgres
import Schema
import TestDatabase
import Testing

@Suite("Schema / migrator", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct MigratorTests {
    private let database: TestDatabase
    private let files: SchemaFiles

    init() throws {
        database = try TestDatabase(isMigrated: false)
        files = try SchemaFiles(in: TestDatabase.sqlDirectory)
    }

    private var allPaths: [String] {
        files.migrations.map { "migrations/" + $0.name } + files.definitions.map { "schema/" + $0.name }
    }

    /// - Returns: the paths of the files that were applied.
    private func migrate(_ files: SchemaFiles) throws -> [String] {
        var admin = try Connection(database.conninfo("lectern_admin"))
        var applied: [String] = []
        try Migrator(files).migrate(&admin) { applied.append($0) }
        return applied
    }

    private func migration(_ text: String, name: String = "next.sql") -> Migration {
        Migration(version: files.migrations.count + 1, name: name, text: text)
    }

    private func adding(_ migrations: Migration...) -> SchemaFiles {
        SchemaFiles(migrations: files.migrations + migrations, definitions: files.definitions)
    }

    private func editing(_ names: Set<String>) -> SchemaFiles {
        SchemaFiles(
            migrations: files.migrations,
            definitions: files.definitions.map {
                names.contains($0.name) ? Definitions(name: $0.name, text: $0.text + "\n-- edited\n") : $0
            })
    }

    @Test("everything is applied once, in order; a second run applies nothing")
    func once() throws {
        #expect(try migrate(files) == allPaths)
        #expect(try migrate(files) == [])
    }

    /// A new account is recorded, too.
    private static let oneUser = ["auth.audit_log has 1 rows instead of 0", "auth.users has 1 rows instead of 0"]

    @Test("a migration of an upgrade that changes the number of users' rows is rolled back, unless it names the table")
    func rowsChanged() throws {
        _ = try migrate(files)
        let insertion = "set local role none; insert into auth.users (email) values ('a@example.org');"
        let next = migration(insertion)
        let expected = MigrationError.rowsChanged(name: "next.sql", tables: Self.oneUser)
        #expect(throws: expected) { try migrate(adding(next)) }
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try admin.query("select count(*) from auth.users").int(0, 0) == 0)
        #expect(try admin.query("select count(*) from lectern.migrations").int(0, 0) == files.migrations.count)
        let dropping = MigrationError.rowsChanged(name: "next.sql", tables: ["public.notes is missing"])
        #expect(throws: dropping) { try migrate(adding(migration("drop table public.notes cascade"))) }
        let allowed = migration(
            "-- Changes rows of: public.tags, auth.users, auth.audit_log\n\(insertion) create table public.new (id int)"
        )
        var upgrades: [String] = []
        try Migrator(adding(allowed)).migrate(&admin) {
            upgrades.append($0.name)
        } announce: { _ in
        }
        #expect(upgrades == ["next.sql"])
        #expect(try admin.query("select count(*) from auth.users").int(0, 0) == 1)
    }

    @Test("a migration whose table another transaction has locked is tried again when that has ended")
    func lockedTable() throws {
        _ = try migrate(files)
        var reader = try Connection(database.conninfo("lectern_admin"))
        try reader.script("set role lectern_owner; begin; lock table public.links in access share mode")
        var admin = try Connection(database.conninfo("lectern_admin"))
        let next = adding(migration("set local lock_timeout = '1ms'; alter table public.links add column probe text"))
        var pauses = 0
        try Migrator(
            next,
            pause: {
                pauses += 1
                try? reader.script("commit")
            }
        ).migrate(&admin) { _ in }
        #expect(pauses == 1)
        #expect(try admin.query("select count(*) from lectern.migrations").int(0, 0) == next.migrations.count)
    }

    @Test("a migration whose table stays locked ends with an error that names it, and changes nothing")
    func tableStaysLocked() throws {
        _ = try migrate(files)
        var reader = try Connection(database.conninfo("lectern_admin"))
        try reader.script("set role lectern_owner; begin; lock table public.links in access share mode")
        var admin = try Connection(database.conninfo("lectern_admin"))
        let next = adding(migration("set local lock_timeout = '1ms'; alter table public.links add column probe text"))
        #expect(throws: MigrationError.locked(name: "next.sql")) {
            try Migrator(next, pause: {}).migrate(&admin) { _ in }
        }
        #expect(try admin.query("select count(*) from lectern.migrations").int(0, 0) == files.migrations.count)
    }

    @Test("a dry run lists pending migrations and changed schema files, and changes nothing")
    func dryRun() throws {
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try Migrator(files).plan(&admin).paths == allPaths)
        #expect(try admin.query("select to_regclass('public.links') is null").bool(0, 0) == true)
        _ = try migrate(files)
        #expect(try Migrator(files).plan(&admin).isEmpty)
        #expect(try Migrator(editing(["links.sql"])).plan(&admin).paths == ["schema/links.sql"])
        #expect(try Migrator(adding(migration("select 1"))).plan(&admin).paths.count == 1 + files.definitions.count)
        #expect(try Migrator(files).plan(&admin).isEmpty)
    }

    @Test("concurrent migrators end with one schema")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try migrate(files) } }
            try await group.waitForAll()
        }
        var admin = try Connection(database.conninfo("lectern_admin"))
        try SchemaVersion(of: files).check(&admin)
    }

    @Test("a schema file is applied when its content changes, and no other file with it")
    func changedDefinitions() throws {
        _ = try migrate(files)
        let edited = editing(["links.sql", "trash.sql"])
        #expect(try migrate(edited) == ["schema/links.sql", "schema/trash.sql"])
        var admin = try Connection(database.conninfo("lectern_admin"))
        try SchemaVersion(of: edited).check(&admin)
        #expect(throws: PostgresError.self) { try SchemaVersion(of: files).check(&admin) }
        #expect(try migrate(files) == ["schema/links.sql", "schema/trash.sql"])
    }

    @Test("a schema file that fails rolls all schema files back")
    func failingDefinitions() throws {
        _ = try migrate(files)
        var broken = editing(["links.sql"])
        broken.definitions.append(Definitions(name: "zzz.sql", text: "create view public.half as select 1; select 1/0"))
        let error = #expect(throws: MigrationError.self) { _ = try migrate(broken) }
        #expect(error?.description.contains("schema/zzz.sql failed and was rolled back") == true)
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try admin.query("select to_regclass('public.half') is null").bool(0, 0) == true)
        try SchemaVersion(of: files).check(&admin)
    }

    @Test("a schema file that is gone is no longer recorded")
    func removedDefinitions() throws {
        var more = files
        more.definitions.append(
            Definitions(name: "zzz.sql", text: "create or replace view public.more as select 1 as n"))
        _ = try migrate(more)
        _ = try migrate(adding(migration("drop view public.more")))
        var admin = try Connection(database.conninfo("lectern_admin"))
        try SchemaVersion(of: adding(migration("drop view public.more"))).check(&admin)
    }

    @Test("a migration that fails leaves nothing, and the ones before it stay")
    func failing() throws {
        let bad = migration("create table public.half (a int); select 1/0", name: "bad.sql")
        let error = #expect(throws: MigrationError.self) { _ = try migrate(adding(bad)) }
        #expect(error?.description.contains("bad.sql failed and was rolled back") == true)
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try admin.query("select to_regclass('public.half') is null").bool(0, 0) == true)
        _ = try migrate(files)
        try SchemaVersion(of: files).check(&admin)
    }

    @Test("a migration that was changed after it was applied is refused")
    func changed() throws {
        _ = try migrate(files)
        var edited = files
        let first = files.migrations[0]
        edited.migrations[0] = Migration(version: 1, name: first.name, text: first.text + "-- edited")
        #expect(throws: MigrationError.changed(name: first.name)) { _ = try migrate(edited) }
    }

    @Test("a database newer than the program is refused by migrator and workers")
    func newer() throws {
        let next = migration("select 1")
        _ = try migrate(adding(next))
        #expect(throws: MigrationError.unknown(version: next.version, name: "next.sql")) { _ = try migrate(files) }
        for role in ["authenticator", "lectern_jobs", "lectern_realtime"] {
            var service = try Connection(database.conninfo(role))
            try SchemaVersion(of: adding(next)).check(&service)
            let error = #expect(throws: PostgresError.self) { try SchemaVersion(of: files).check(&service) }
            #expect(error.map { "\($0)".contains("\(SchemaVersion(of: files)) needed: run `lectern migrate`") } == true)
        }
    }

    @Test("a migration that fills in rows reaches every user's, although row-level security is forced on the owner")
    func backFill() throws {
        _ = try migrate(files)
        for user in [try database.makeUser("a@example.org"), try database.makeUser("b@example.org")] {
            var admin = try Connection(database.conninfo("lectern_admin"))
            _ = try admin.query("insert into public.links (user_id, raw_url) values (\(user)::uuid, 'http://x.test/')")
        }
        let asOwner = migration("update public.links set description = 'as owner'", name: "owner.sql")
        let asAdmin = Migration(
            version: asOwner.version + 1, name: "admin.sql",
            text: "set local role lectern_admin; update public.links set title = 'filled'")
        _ = try migrate(adding(asOwner, asAdmin))
        var admin = try Connection(database.conninfo("lectern_admin"))
        let rows = try admin.query(
            "select count(*) filter (where title = 'filled'), count(description), count(*) from public.links")
        #expect(rows.int(0, 0) == 2)
        #expect(rows.int(0, 1) == 0, "the owner is bound by row-level security")
        #expect(rows.int(0, 2) == 2)
    }

    @Test("a fresh install and a database whose schema files were all applied again have the same dump")
    func dumps() throws {
        _ = try migrate(files)
        let fresh = try dump()
        #expect(fresh.contains { $0.hasPrefix("CREATE FUNCTION public.save_page(") })
        _ = try migrate(editing(Set(files.definitions.map(\.name))))
        _ = try migrate(files)
        #expect(try dump() == fresh)
        // What a migration drops, the schema files bring back.
        _ = try migrate(adding(migration("drop function rest.count_change() cascade; drop view public.broken_links")))
        #expect(Set(try dump()) == Set(fresh))
    }

    @Test("every function body is valid against the tables")
    func bodies() throws {
        _ = try migrate(files)
        var admin = try Connection(database.conninfo("lectern_admin"))
        try admin.script("begin; set local check_function_bodies = on; set local client_min_messages = warning")
        for definitions in files.definitions {
            try admin.script("set local role lectern_owner")
            #expect(throws: Never.self, "\(definitions.name)") { try admin.script(definitions.text) }
        }
        try admin.script("rollback")
    }

    /// The lines of `pg_dump --schema-only` without comments.
    private func dump() throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "pg_dump", "--schema-only", "--exclude-schema=lectern", database.conninfo("lectern_bootstrap"),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        // Newer versions of pg_dump begin and end with \restrict and a random word.
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("--") && !$0.hasPrefix(#"\"#) }
    }
}
