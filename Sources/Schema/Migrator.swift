import Postgres

/// Brings a database to the schema version of the files: each migration in a transaction of its own, recorded with
/// its checksum. Two migrators at once wait for each other.
public struct Migrator {
    /// Makes the transaction wait until no other migrator has one open: two that replace one function at once fail.
    /// Any number will do, as long as all take the same: "lect" in ASCII.
    static let lock = "select pg_advisory_xact_lock(1818583924)"

    private let migrations: [Migration]

    public init(_ migrations: [Migration]) { self.migrations = migrations }

    /// Applies what is missing.
    ///
    /// - Parameter connection: logged in as lectern_admin, which is a member of lectern_owner.
    /// - Parameter announce: called with each migration before it runs.
    public func migrate(
        _ connection: inout Connection, announce: (Migration) -> Void
    ) throws {
        try prepare(&connection)
        for migration in try pending(&connection) {
            announce(migration)
            try apply(migration, &connection)
        }
        try TrackingList(parameters: .standard).install(&connection)
        try ReferenceNames(references: .standard).install(&connection)
    }

    /// What `migrate` would apply; changes nothing.
    public func plan(_ connection: inout Connection) throws -> [Migration] {
        let known = try connection.query("select to_regclass('lectern.migrations') is not null").bool(0, 0) ?? false
        return known ? try pending(&connection) : migrations
    }

    /// The table that remembers; readable by every service, which refuses a schema it does not know.
    private func prepare(_ connection: inout Connection) throws(PostgresError) {
        try connection.script(
            """
            begin;
            \(Self.lock);
            set local role lectern_owner;
            create schema if not exists lectern;
            create table if not exists lectern.migrations (
                version integer primary key,
                name text not null,
                checksum text not null,
                applied_at timestamptz not null default now()
            );
            grant usage on schema lectern to authenticator, lectern_jobs, lectern_metrics;
            grant select on lectern.migrations to authenticator, lectern_jobs, lectern_metrics;
            commit
            """)
    }

    private func pending(_ connection: inout Connection) throws -> [Migration] {
        let applied = try connection.query("select version, name, checksum from lectern.migrations order by version")
        for row in 0..<applied.count {
            let name = applied.text(row, 1) ?? ""
            guard row < migrations.count, applied.int(row, 0) == migrations[row].version else {
                throw MigrationError.unknown(version: applied.int(row, 0) ?? 0, name: name)
            }
            guard applied.text(row, 2) == migrations[row].checksum else { throw MigrationError.changed(name: name) }
        }
        return Array(migrations.dropFirst(applied.count))
    }

    private func apply(_ migration: Migration, _ connection: inout Connection) throws {
        do {
            try connection.script("begin; \(Self.lock)")
            let row = try connection.query(
                "insert into lectern.migrations (version, name, checksum) values (\(migration.version)::int, \(migration.name), \(migration.checksum)) on conflict do nothing")
            // Another migrator was faster; it holds the result we wanted.
            guard row.affected == 1 else { return try connection.script("rollback") }
            try connection.script("set local role lectern_owner")
            try connection.script(migration.text)
            try connection.script("commit; notify lectern_schema")
        } catch {
            try? connection.script("rollback")
            guard case .refused(let refusal) = error else { throw error }
            throw MigrationError.failed(name: migration.name, reason: refusal.message)
        }
    }
}

extension SchemaVersion {
    /// Refuses a database at another schema version than this build works with. Run on every fresh connection.
    public static func check(_ connection: inout Connection) throws(PostgresError) {
        let found: Int
        do {
            found = try connection.query("select coalesce(max(version), 0) from lectern.migrations").int(0, 0) ?? 0
        } catch .refused(let refusal) where refusal.sqlState == "42P01" || refusal.sqlState == "3F000" {
            found = 0
        }
        guard found == required else {
            throw .unavailable(
                reason: "schema version \(found) found, \(required) needed: run `lectern migrate` with the same version of Lectern")
        }
    }
}
