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
        /// Files that an incremental backup has copied; the others were there.
        public var copied = 0
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

    /// - Parameter folder: of an incremental backup: where the files of the home are kept beside the archive; see
    ///   `FileStore`. They are in the archive unless given.
    /// - Throws: `BackupError` and `PostgresError`.
    public func write(to output: BackupOutput, keepingFilesIn folder: String? = nil) throws -> Summary {
        let writer = BackupArchiveWriter(output)
        let store = folder.map(FileStore.init)
        let plain = try HomeFiles.plainFiles(in: home)
        var connection = try Connection(conninfo)
        var snapshot = try Snapshot(&connection, lock: .atOnce, version: version)
        snapshot.about.isIncremental = store != nil
        var summary = Summary(rows: snapshot.about.counts.sum, tables: snapshot.about.counts.rows.count)

        try snapshot.begin(writer)
        for path in plain { _ = try writer.add(file: Self.resolved("\(home)/\(path)"), as: HomeFiles.prefix + path) }
        let (first, others) = (HomeFiles.named[0], HomeFiles.named.dropFirst())
        try addFiles(first, &connection, writer, store, &summary)
        try snapshot.addDatabase(conninfo, writer)
        for folder in others { try addFiles(folder, &connection, writer, store, &summary) }
        try store?.finish(writer)
        try writer.finish()
        summary.bytes = output.size + (store?.bytesCopied ?? 0)
        summary.copied = store?.filesCopied ?? 0
        summary.files = writer.files
        return summary
    }

    /// The settings of the Debian package are a link to a file in /etc.
    private static func resolved(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }

    private func addFiles(
        _ named: HomeFiles.Named, _ connection: inout Connection, _ writer: BackupArchiveWriter, _ store: FileStore?,
        _ summary: inout Summary
    ) throws {
        // A home of an earlier version may have no such table.
        guard try connection.query("select to_regclass(\(named.table)) is not null").bool(0, 0) == true else { return }
        _ = try connection.query("declare files no scroll cursor for \(named.paths)")
        var missing = 0
        while case let rows = try connection.query("fetch 1000 from files"), rows.count > 0 {
            for row in 0..<rows.count {
                guard let path = rows.text(row, 0) else { continue }
                let name = "\(named.folder)/\(path)"
                let isThere =
                    if let store, named.isKept {
                        try store.add(file: "\(home)/\(name)", as: name, writer)
                    } else {
                        try writer.add(file: "\(home)/\(name)", as: HomeFiles.prefix + name)
                    }
                if !isThere { missing += 1 }
            }
        }
        try connection.script("close files")
        if missing > 0, !named.mayBeGone { summary.missing[named.folder] = missing }
    }
}
