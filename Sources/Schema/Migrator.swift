import Glibc
import Postgres

/// Brings a database to the schema of a set of SQL files.
///
/// First the migrations that are missing, each in a transaction of its own. Then, in one transaction, the definitions
/// that have changed; after a migration that is all of them, since it may have dropped what they define. Checksums are
/// recorded for both. Concurrent migrators wait for each other.
public struct Migrator {
    /// Waits until no other migrator has a transaction open: two that replace the same function at once fail. The number
    /// is arbitrary: "lect" in ASCII.
    private static let lock = "select pg_advisory_xact_lock(1818583924)"

    /// What `migrate` does, or would do.
    public struct Plan: Sendable, Equatable {
        public var migrations: [Migration]
        public var definitions: [Definitions]

        public var isEmpty: Bool { migrations.isEmpty && definitions.isEmpty }
        /// Paths below `sql/`, in the order in which they are applied.
        public var paths: [String] {
            migrations.map { "migrations/" + $0.name } + definitions.map { "schema/" + $0.name }
        }
    }

    /// A statement of a migration waits at most this long for a lock. Requests queue behind a waiting migration, so this
    /// is also about how long they can be delayed at a time.
    private static let lockTimeout = "2s"
    /// With pauses of a second, a transaction of some three minutes can end, such as a large export.
    private static let maxAttempts = 60

    private let files: SchemaFiles
    private let pause: () -> Void

    /// - Parameter pause: waits before the next attempt after a lock could not be had.
    public init(_ files: SchemaFiles, pause: @escaping () -> Void = { sleep(1) }) {
        self.files = files
        self.pause = pause
    }

    /// Applies what is missing or has changed.
    ///
    /// - Parameter connection: logged in as lectern_admin, which is a member of lectern_owner.
    /// - Parameter beforeUpgrade: called with the first missing migration before the migrations of a database that has
    ///   some already.
    /// - Parameter announce: called with the path below `sql/` of each file before it is applied.
    public func migrate(
        _ connection: inout Connection, beforeUpgrade: (Migration) throws -> Void = { _ in },
        announce: (String) -> Void
    ) throws {
        try prepare(&connection)
        let missing = try pending(&connection)
        let isUpgrade = missing.first.map { $0.version > 1 } ?? false
        if isUpgrade, let first = missing.first { try beforeUpgrade(first) }
        for migration in missing {
            announce("migrations/" + migration.name)
            try apply(migration, &connection, countsRows: isUpgrade)
        }
        try applyDefinitions(&connection, announce)
    }

    /// What `migrate` would apply; changes nothing.
    public func plan(_ connection: inout Connection) throws -> Plan {
        let known = try connection.query("select to_regclass('lectern.schema_files') is not null").bool(0, 0) ?? false
        guard known else { return Plan(migrations: files.migrations, definitions: files.definitions) }
        let migrations = try pending(&connection)
        return Plan(
            migrations: migrations, definitions: migrations.isEmpty ? try changed(&connection) : files.definitions)
    }

    /// Creates the tables that record what is applied. Every service may read them, and refuses another schema.
    private func prepare(_ connection: inout Connection) throws(PostgresError) {
        try connection.script(
            """
            begin;
            \(Self.lock);
            set local role lectern_owner;
            set local client_min_messages = warning;
            create schema if not exists lectern;
            create table if not exists lectern.migrations (
                version integer primary key,
                name text not null,
                checksum text not null,
                applied_at timestamptz not null default now()
            );
            create table if not exists lectern.schema_files (
                name text primary key,
                checksum text not null,
                applied_at timestamptz not null default now()
            );
            grant usage on schema lectern to authenticator, lectern_jobs, lectern_metrics, lectern_realtime;
            grant select on lectern.migrations, lectern.schema_files
                to authenticator, lectern_jobs, lectern_metrics, lectern_realtime;
            commit
            """)
    }

    private func pending(_ connection: inout Connection) throws -> [Migration] {
        let migrations = files.migrations
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

    private func changed(_ connection: inout Connection) throws -> [Definitions] {
        let applied = try connection.query("select name, checksum from lectern.schema_files")
        var checksums: [String: String] = [:]
        for row in 0..<applied.count { checksums[applied.text(row, 0) ?? ""] = applied.text(row, 1) }
        return files.definitions.filter { checksums[$0.name] != $0.checksum }
    }

    private func apply(_ migration: Migration, _ connection: inout Connection, countsRows: Bool) throws {
        try transaction({ migration.name }, &connection) { connection in
            let before = countsRows ? try RowCountCheck(migration, &connection) : nil
            let row = try connection.query(
                "insert into lectern.migrations (version, name, checksum) values (\(migration.version)::int, \(migration.name), \(migration.checksum)) on conflict do nothing"
            )
            // Another migrator has applied it in between.
            guard row.affected == 1 else { return }
            // The definitions are applied again, even when this run ends before it reaches them.
            _ = try connection.query("delete from lectern.schema_files")
            try connection.script("set local role lectern_owner")
            try connection.script(migration.text)
            // The login role sees all rows.
            try connection.script("set local role none")
            try before?.compare(&connection)
            try connection.script("notify lectern_schema")
        }
    }

    private func applyDefinitions(_ connection: inout Connection, _ announce: (String) -> Void) throws {
        var current = "schema"
        try transaction({ current }, &connection) { connection in
            let changed = try changed(&connection)
            // A function may call one of a file that comes later.
            try connection.script("set local check_function_bodies = off; set local client_min_messages = warning")
            for definitions in changed {
                current = "schema/" + definitions.name
                announce(current)
                // A file may end as another role.
                try connection.script("set local role lectern_owner")
                try connection.script(definitions.text)
                try connection.script("set local role lectern_owner")
                _ = try connection.query(
                    """
                    insert into lectern.schema_files (name, checksum) values (\(definitions.name), \(definitions.checksum))
                    on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at
                    """)
            }
            try connection.script("set local role lectern_owner")
            let names = files.definitions.map(\.name).joined(separator: " ")
            let gone = try connection.query(
                "delete from lectern.schema_files where name <> all (string_to_array(\(names), ' '))")
            try TrackingList(parameters: .standard).install(&connection)
            try CharacterReferenceList(references: .standard).install(&connection)
            if !changed.isEmpty || gone.affected > 0 { try connection.script("notify lectern_schema") }
        }
    }

    /// Runs `body` in a transaction, again after a pause while other transactions hold locks on the same tables.
    ///
    /// - Parameter name: the file that is applied when the transaction fails.
    private func transaction(
        _ name: () -> String, _ connection: inout Connection, _ body: (inout Connection) throws -> Void
    ) throws {
        for _ in 1..<Self.maxAttempts {
            if try attempt(name, &connection, body) { return }
            pause()
        }
        guard try attempt(name, &connection, body) else { throw MigrationError.locked(name: name()) }
    }

    /// - Returns: false if the transaction was rolled back because of a lock.
    private func attempt(
        _ name: () -> String, _ connection: inout Connection, _ body: (inout Connection) throws -> Void
    ) throws -> Bool {
        do {
            try connection.script("begin; \(Self.lock); set local lock_timeout = '\(Self.lockTimeout)'")
            try body(&connection)
            try connection.script("commit")
            return true
        } catch {
            try? connection.script("rollback")
            guard case PostgresError.refused(let refusal) = error else { throw error }
            // lock_not_available and deadlock_detected.
            if ["55P03", "40P01"].contains(refusal.sqlState) { return false }
            throw MigrationError.failed(name: name(), reason: refusal.message)
        }
    }
}
