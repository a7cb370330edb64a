import Folders
import Glibc
import Postgres

/// Restores a backup into an empty home, or checks one.
public struct HomeRestore {
    public struct Summary: Sendable, Equatable {
        public var about: BackupAbout
        /// Files of the home.
        public var files = 0
        public var tables: Int { about.counts.rows.count }
        public var rows: Int { about.counts.sum }
    }

    private let path: String
    /// The decrypted content of an encrypted backup; else nil.
    private let decrypted: DecryptedFile?
    /// The number of migrations that this version of Lectern has.
    private let migrations: Int
    private let isInterrupted: () -> Bool

    /// - Parameters:
    ///   - path: the backup.
    ///   - identity: the path of a file with the private key, for a backup that age has encrypted.
    ///   - migrations: the number of the last migration of this version of Lectern.
    ///   - isInterrupted: asked between two steps; the restore then ends.
    public init(
        _ path: String, identity: String? = nil, migrations: Int, isInterrupted: @escaping () -> Bool = { false }
    ) throws(BackupError) {
        self.path = path
        decrypted = try EncryptionKey.decrypt(path, identity: identity)
        self.migrations = migrations
        self.isInterrupted = isInterrupted
    }

    /// Reads the whole backup and checks every byte of it. Writes nothing.
    public func verify() throws -> Summary {
        let reader = try open()
        guard let first = try reader.next(), first.name == BackupAbout.name else {
            throw reader.damaged("it does not begin with \(BackupAbout.name)")
        }
        let about = try BackupAbout(parsing: try reader.content(limit: 1 << 20), of: path)
        var (files, pieces) = (0, 0)
        while let entry = try reader.next() {
            if entry.name.hasPrefix(HomeFiles.prefix) { files += 1 }
            if entry.name.hasPrefix(StoredFile.folder) {
                let stored = StoredFiles(of: path, damaged: reader.damaged)
                for file in try StoredFile.parse(reader.content(limit: StoredFile.maxListSize), or: reader.damaged) {
                    try stored.read(file) { _ in }
                    files += 1
                    if isInterrupted() { throw BackupError.interrupted }
                }
            }
            if entry.name.hasPrefix(DatabaseDump.folder) { pieces += 1 }
            if isInterrupted() { throw BackupError.interrupted }
        }
        guard pieces > 0 else { throw reader.damaged("it holds no database") }
        return Summary(about: about, files: files)
    }

    /// Checks the backup and restores it.
    ///
    /// - Parameter home: the path of a folder that is empty or does not exist. It is empty again, or gone, after an error.
    public func restore(into home: String) throws -> Summary {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        try checkEmpty(home)
        let summary = try verify()
        try checkSchema(summary.about)
        guard summary.files > 0 else { throw BackupError.databaseOnly(path) }
        let isNew = mkdir(home, 0o755) == 0
        guard isNew || errno == EEXIST else { throw BackupError.file(home, call: "mkdir", code: errno) }
        do {
            try fill(home, summary.about)
        } catch {
            Self.empty(home)
            if isNew { rmdir(home) }
            throw error
        }
        return summary
    }

    /// Checks the backup and replaces the database of a stopped home by the one in it. The files of the home stay. The
    /// database that was there is kept as `postgres.before-restore`.
    public func replaceDatabase(of home: String) throws -> Summary {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let (data, draft, former) = ("\(home)/postgres", "\(home)/postgres.restored", "\(home)/postgres.before-restore")
        guard access("\(data)/PG_VERSION", R_OK) == 0 else { throw BackupError.file(data, call: "open", code: errno) }
        guard access("\(data)/postmaster.pid", F_OK) != 0 else { throw BackupError.running(home) }
        let summary = try verify()
        try checkSchema(summary.about)
        Self.remove([draft])
        do {
            let cluster = try RestoredCluster(in: draft, atLeast: summary.about.postgres)
            try cluster.start()
            try loadDatabase(into: cluster, summary.about)
            if isInterrupted() { throw BackupError.interrupted }
            try Self.sync(home)
        } catch {
            Self.remove([draft])
            throw error
        }
        Self.remove([former])
        guard rename(data, former) == 0, rename(draft, data) == 0 else {
            throw BackupError.file(data, call: "rename", code: errno)
        }
        // deploy/run sets the passwords of the roles again.
        unlink("\(home)/\(HomeFiles.secrets)/roles.applied")
        return summary
    }

    private func open() throws(BackupError) -> BackupArchiveReader {
        try BackupArchiveReader(path: decrypted?.path ?? path, named: path)
    }

    private func loadDatabase(into cluster: RestoredCluster, _ about: BackupAbout) throws {
        var database = RestoredDatabase(cluster)
        let reader = try open()
        while let entry = try reader.next() {
            if isInterrupted() { throw BackupError.interrupted }
            if entry.name == RolesDump.name {
                try database.makeRoles(reader.content(limit: RolesDump.maxSize))
            } else if entry.name.hasPrefix(DatabaseDump.folder) {
                while let piece = try reader.piece() { try database.add(piece) }
            }
        }
        try database.finish(expecting: about.counts)
        try cluster.stop()
    }

    private func checkSchema(_ about: BackupAbout) throws(BackupError) {
        guard about.migration <= migrations else {
            throw .newerSchema(migration: about.migration, known: migrations, lectern: about.lectern)
        }
    }

    private func checkEmpty(_ home: String) throws(BackupError) {
        var status = stat()
        guard lstat(home, &status) == 0 else {
            if errno == ENOENT { return }
            throw .file(home, call: "stat", code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR, Folder.names(in: home).isEmpty else { throw .notEmpty(home) }
    }

    private func fill(_ home: String, _ about: BackupAbout) throws {
        for (folder, mode) in [("run", 0o700), (HomeFiles.secrets, 0o700)] as [(String, mode_t)] {
            guard mkdir("\(home)/\(folder)", mode) == 0 else {
                throw BackupError.file("\(home)/\(folder)", call: "mkdir", code: errno)
            }
        }
        let cluster = try RestoredCluster(in: "\(home)/postgres", atLeast: about.postgres)
        try cluster.start()
        var database = RestoredDatabase(cluster)
        var files = RestoredFiles(home: home)
        let reader = try open()
        while let entry = try reader.next() {
            if isInterrupted() { throw BackupError.interrupted }
            switch entry.name {
            case BackupAbout.name: continue
            case RolesDump.name: try database.makeRoles(reader.content(limit: RolesDump.maxSize))
            case let name where name.hasPrefix(DatabaseDump.folder):
                while let piece = try reader.piece() { try database.add(piece) }
            case let name where name.hasPrefix(HomeFiles.prefix): try files.write(entry, from: reader)
            case let name where name.hasPrefix(StoredFile.folder):
                let list = try StoredFile.parse(reader.content(limit: StoredFile.maxListSize), or: reader.damaged)
                try files.write(list, from: StoredFiles(of: path, damaged: reader.damaged))
            default: throw reader.damaged("it contains the unknown entry \(entry.name)")
            }
        }
        try database.finish(expecting: about.counts)
        try cluster.stop()
        // The settings of another major version may not exist in this one.
        if let settings = files.postgresSettings, cluster.programs.version == about.postgres {
            try cluster.write(settings, to: "postgresql.conf", O_TRUNC)
        }
        if isInterrupted() { throw BackupError.interrupted }
        try Self.sync(home)
    }

    /// Writes the file system to disk.
    private static func sync(_ home: String) throws(BackupError) {
        guard Programs.run("/bin/sync", ["--file-system", "--", home]) else {
            throw .file(home, call: "sync", code: EIO)
        }
    }

    /// Removes everything in a folder.
    private static func empty(_ home: String) {
        remove(Folder.names(in: home).map { "\(home)/\($0)" })
    }

    private static func remove(_ names: [String]) {
        guard !names.isEmpty else { return }
        _ = Programs.run("/bin/rm", ["-rf", "--one-file-system", "--"] + names)
    }
}
