import Glibc
import Postgres

/// Writes a backup of a running instance: the database, the files that its rows name, secrets and settings, all of one
/// moment. Nothing is stopped, and memory does not grow with the instance.
///
/// The moment is that of a snapshot of the database, in which the rows are counted, the database is dumped and the files
/// are listed. A file has its name before its row exists, and the jobs remove no files while a backup runs, so the files
/// of all rows are there.
public struct HomeBackup {
    public struct Summary: Sendable, Equatable {
        public var bytes = 0
        public var rows = 0
        public var tables = 0
        public var files = 0
        /// Files that rows name and that do not exist, by folder.
        public var missing: [String: Int] = [:]
    }

    private let home: String
    private let conninfo: String
    private let version: String

    /// - Parameters:
    ///   - home: the path of the home.
    ///   - conninfo: the admin's connection to its database.
    ///   - version: the version of Lectern.
    public init(home: String, conninfo: String, version: String) {
        self.home = home
        self.conninfo = conninfo
        self.version = version
    }

    /// The number in `private.backup_is_running` of sql/schema/backups.sql: "lecb" in ASCII.
    private static let lock = 1_818_583_906

    /// - Throws: `BackupError` and `PostgresError`.
    public func write(to output: BackupOutput) throws -> Summary {
        // An error that is thrown says more than a signal that ends the program.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var connection = try Connection(conninfo)
        let writer = BackupWriter(output)
        let plain = try HomeFiles.plainFiles(in: home)
        try takeLock(&connection)
        let snapshot = try Self.openSnapshot(&connection)
        let about = try about(&connection)
        var summary = Summary(rows: about.counts.sum, tables: about.counts.rows.count)

        let now = time(nil)
        try writer.add(BackupAbout.name, about.json[...], modified: now)
        for path in plain { _ = try writer.add(file: Self.resolved("\(home)/\(path)"), as: HomeFiles.prefix + path) }
        let (first, others) = (HomeFiles.named[0], HomeFiles.named.dropFirst())
        try addFiles(first, &connection, writer, &summary)
        try writer.add(RolesDump.name, RolesDump.read(conninfo, about.postgres)[...], modified: now)
        try DatabaseDump(conninfo: conninfo, postgres: about.postgres, snapshot: snapshot).write(to: writer)
        for folder in others { try addFiles(folder, &connection, writer, &summary) }
        try writer.finish()
        summary.bytes = output.size
        summary.files = writer.files
        return summary
    }

    /// The settings of the Debian package are a link to a file in /etc.
    private static func resolved(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }

    private func takeLock(_ connection: inout Connection) throws {
        try connection.script("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0")
        let taken = try connection.query("select pg_try_advisory_lock(\(Self.lock)::bigint)").bool(0, 0)
        guard taken == true else { throw BackupError.anotherIsRunning }
    }

    /// - Returns: the name by which pg_dump finds the snapshot.
    private static func openSnapshot(_ connection: inout Connection) throws(PostgresError) -> String {
        try connection.script("begin isolation level repeatable read read only")
        return try connection.query("select pg_export_snapshot()").text(0, 0) ?? ""
    }

    private func about(_ connection: inout Connection) throws(PostgresError) -> BackupAbout {
        let facts = try connection.query(
            """
            select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                current_setting('server_version_num')::integer / 10000, (select max(version) from lectern.migrations)
            """)
        return BackupAbout(
            lectern: version, createdAt: facts.text(0, 0) ?? "", postgres: facts.int(0, 1) ?? 0,
            migration: facts.int(0, 2) ?? 0, counts: try TableCounts(&connection))
    }

    private func addFiles(
        _ named: HomeFiles.Named, _ connection: inout Connection, _ writer: BackupWriter, _ summary: inout Summary
    ) throws {
        // A home of an earlier version may have no such table.
        guard try connection.query("select to_regclass(\(named.table)) is not null").bool(0, 0) == true else { return }
        _ = try connection.query("declare files no scroll cursor for \(named.paths)")
        var missing = 0
        while case let rows = try connection.query("fetch 1000 from files"), rows.count > 0 {
            for row in 0..<rows.count {
                guard let path = rows.text(row, 0) else { continue }
                let name = "\(named.folder)/\(path)"
                if try !writer.add(file: "\(home)/\(name)", as: HomeFiles.prefix + name) { missing += 1 }
            }
        }
        try connection.script("close files")
        if missing > 0, !named.mayBeGone { summary.missing[named.folder] = missing }
    }
}
