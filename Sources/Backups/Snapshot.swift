import Glibc
import Postgres

/// The moment of a backup: a transaction that sees the database as it was then. It ends with its connection.
struct Snapshot {
    /// The name by which pg_dump finds it.
    private let name: String
    var about: BackupAbout

    /// Whether to wait for another backup that is being written.
    enum Lock { case atOnce, wait }

    /// The number in `private.backup_is_running` of sql/schema/backups.sql: "lecb" in ASCII.
    private static let lock = 1_818_583_906

    /// - Parameter version: the version of Lectern.
    init(_ connection: inout Connection, lock: Lock, version: String) throws {
        // An error that is thrown says more than a signal that ends the program.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        try connection.script(
            "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0")
        switch lock {
        case .atOnce:
            let taken = try connection.query("select pg_try_advisory_lock(\(Self.lock)::bigint)").bool(0, 0)
            guard taken == true else { throw BackupError.anotherIsRunning }
        case .wait: _ = try connection.query("select pg_advisory_lock(\(Self.lock)::bigint)")
        }
        try connection.script("begin isolation level repeatable read read only")
        name = try connection.query("select pg_export_snapshot()").text(0, 0) ?? ""
        let facts = try connection.query(
            """
            select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                current_setting('server_version_num')::integer / 10000, (select max(version) from lectern.migrations)
            """)
        about = BackupAbout(
            lectern: version, createdAt: facts.text(0, 0) ?? "", postgres: facts.int(0, 1) ?? 0,
            migration: facts.int(0, 2) ?? 0, counts: try TableCounts(&connection))
    }

    func begin(_ writer: BackupArchiveWriter) throws {
        try writer.add(BackupAbout.name, about.json[...], modified: time(nil))
    }

    func addDatabase(_ conninfo: String, _ writer: BackupArchiveWriter) throws {
        let roles = try RolesDump.read(conninfo, about.postgres)
        try writer.add(RolesDump.name, roles[...], modified: time(nil))
        try DatabaseDump(conninfo: conninfo, postgres: about.postgres, snapshot: name).write(to: writer)
    }
}

/// Writes a backup of the database alone, as before an upgrade, which changes no files.
public struct DatabaseBackup {
    private let conninfo: String
    private let version: String

    /// - Parameters:
    ///   - conninfo: the admin's connection.
    ///   - version: the version of Lectern.
    public init(conninfo: String, version: String) {
        self.conninfo = conninfo
        self.version = version
    }

    /// Waits until no other backup is being written.
    ///
    /// - Returns: the size in bytes.
    public func write(to output: BackupOutput) throws -> Int {
        let writer = BackupArchiveWriter(output)
        var connection = try Connection(conninfo)
        let snapshot = try Snapshot(&connection, lock: .wait, version: version)
        try snapshot.begin(writer)
        try snapshot.addDatabase(conninfo, writer)
        try writer.finish()
        return output.size
    }
}
