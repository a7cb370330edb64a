import Glibc
import Tar

/// Writes the files of a home. deploy/run gives them to the users of the services.
struct RestoredFiles {
    let home: String
    /// The text of PostgreSQL's settings, for the cluster.
    private(set) var postgresSettings: String?

    init(home: String) { self.home = home }

    mutating func write(_ entry: TarEntry, from reader: BackupArchiveReader) throws {
        let path = String(entry.name.dropFirst(HomeFiles.prefix.count))
        guard HomeFiles.mayBeRestored(path) else { throw reader.damaged("it contains the unknown entry \(entry.name)") }
        if path == HomeFiles.postgresSettings {
            postgresSettings = String(decoding: try reader.content(limit: 1 << 20), as: UTF8.self)
            return
        }
        try makeFolders(of: path)
        let file = "\(home)/\(path)"
        if let target = entry.hardLink {
            let first = String(target.dropFirst(HomeFiles.prefix.count))
            guard target.hasPrefix(HomeFiles.prefix), HomeFiles.mayBeRestored(first) else {
                throw reader.damaged("it contains the unknown entry \(target)")
            }
            guard link("\(home)/\(first)", file) == 0 else { throw BackupError.file(file, call: "link", code: errno) }
            return
        }
        try Self.create(file, mode: entry.mode, modified: entry.modified) { write in
            while let piece = try reader.piece() { try write(piece) }
        }
    }

    /// Writes files that an incremental backup lists.
    func write(_ files: [StoredFile], from store: StoredFiles) throws {
        for file in files {
            try makeFolders(of: file.name)
            let path = "\(home)/\(file.name)"
            switch file {
            case .link(let first, _):
                guard link("\(home)/\(first)", path) == 0 else {
                    throw BackupError.file(path, call: "link", code: errno)
                }
            case .file(_, _, let mode, let modified, _):
                try Self.create(path, mode: mode, modified: modified) { write in
                    try store.read(file, write)
                }
            }
        }
    }

    private static func create(
        _ file: String, mode: UInt32, modified: Int,
        content: ((ArraySlice<UInt8>) throws(BackupError) -> Void) throws -> Void
    ) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BackupError.file(file, call: "open", code: errno) }
        defer { close(descriptor) }
        try content { piece throws(BackupError) in
            do throws(WriteFailure) { try Descriptor.write(piece, to: descriptor) } catch {
                throw .file(file, call: "write", code: error.code)
            }
        }
        let times = [timespec(tv_sec: modified, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0)]
        guard fchmod(descriptor, mode & 0o777) == 0, futimens(descriptor, times) == 0 else {
            throw BackupError.file(file, call: "chmod", code: errno)
        }
    }

    private func makeFolders(of path: String) throws(BackupError) {
        var folder = home
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            guard mkdir(folder, 0o750) == 0 || errno == EEXIST else {
                throw .file(folder, call: "mkdir", code: errno)
            }
        }
    }
}
