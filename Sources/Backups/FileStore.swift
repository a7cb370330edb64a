import Crypto
import Folders
import Glibc

/// A folder beside incremental backups that holds each file of the homes only once: `files/pictures/ab/NAME.SHA256`.
///
/// The files of a home never change once they have their name, so a name that is there is not copied again. A backup
/// sets the time of each file that it uses; what is older than the oldest backup is of no use.
final class FileStore {
    private let root: String
    /// The folder of the store that was looked into last, and the hashes of its files by name. Rows come ordered, so each
    /// folder is read once.
    private var known: (folder: String, hashes: [String: String]) = ("", [:])
    /// The first name of files that have several.
    private var names: [FileID: String] = [:]
    private var lines: [UInt8] = []
    private var parts = 0
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private(set) var bytesCopied = 0
    private(set) var filesCopied = 0

    /// - Parameter folder: where the backups are.
    init(in folder: String) { root = Self.root(in: folder) }

    static func root(in folder: String) -> String { "\(folder)/files" }

    /// Copies a file of the home, unless the store has it, and lists it.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - name: its path in the home, as rows name it.
    /// - Returns: false if there is no such file.
    func add(file path: String, as name: String, _ writer: BackupArchiveWriter) throws -> Bool {
        guard let source = try SourceFile(path) else { return false }
        writer.countFile()
        if let id = source.sharedID {
            if let first = names[id] {
                try list(.link(to: first, name: name), writer)
                return true
            }
            names[id] = name
        }
        let stored = try hash(of: source, name)
        try list(
            .file(hash: stored, size: source.size, mode: source.mode, modified: source.modified, name: name), writer)
        return true
    }

    /// Has everything that was copied on disk, and adds the rest of the list to the backup.
    func finish(_ writer: BackupArchiveWriter) throws {
        try writeList(writer)
        guard Programs.run("/bin/sync", ["--file-system", "--", root]) else {
            throw BackupError.file(root, call: "sync", code: EIO)
        }
    }

    /// Deletes the files that no backup since a time has used.
    ///
    /// - Parameter time: seconds since 1970.
    /// - Returns: their number.
    static func prune(in folder: String, unusedSince time: Int) -> Int {
        let root = root(in: folder)
        var count = 0
        for kind in Folder.names(in: root) {
            for part in Folder.names(in: "\(root)/\(kind)") {
                for name in Folder.names(in: "\(root)/\(kind)/\(part)") {
                    let path = "\(root)/\(kind)/\(part)/\(name)"
                    var status = stat()
                    guard lstat(path, &status) == 0, status.st_mtim.tv_sec < time, unlink(path) == 0 else { continue }
                    count += 1
                }
            }
        }
        return count
    }

    // MARK: - Steps

    /// The hash of a file that is in the store afterwards.
    private func hash(of source: SourceFile, _ name: String) throws -> String {
        let (folder, last) = BackupOutput.parts(of: "\(root)/\(name)")
        if known.folder != folder {
            try makeFolders(of: name)
            known = (folder, [:])
            for stored in Folder.names(in: folder) {
                guard let dot = stored.lastIndex(of: "."), !stored.hasPrefix(".") else { continue }
                known.hashes[String(stored[..<dot])] = String(stored[stored.index(after: dot)...])
            }
        }
        if let hash = known.hashes[last], try isThere("\(folder)/\(last).\(hash)", size: source.size) { return hash }
        return try copy(source, to: folder, last)
    }

    /// Whether the store has a whole file, whose time then becomes that of its last use.
    private func isThere(_ path: String, size: Int) throws -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == size else {
            return false
        }
        guard utimensat(AT_FDCWD, path, Self.now, 0) == 0 else {
            throw BackupError.file(path, call: "utimens", code: errno)
        }
        return true
    }

    /// The time of access and of change, by the clock of this machine and not of the one that the folder may be on.
    private static var now: [timespec] {
        let now = timespec(tv_sec: time(nil), tv_nsec: 0)
        return [now, now]
    }

    private func copy(_ source: SourceFile, to folder: String, _ last: String) throws -> String {
        let draft = "\(folder)/.\(last).part"
        unlink(draft)
        let target = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw BackupError.file(draft, call: "open", code: errno) }
        defer { close(target) }
        do {
            let hash = Digest.hex(
                try source.read(into: &buffer) { piece throws(BackupError) in
                    do throws(WriteFailure) { try Descriptor.write(piece, to: target) } catch {
                        throw .file(draft, call: "write", code: error.code)
                    }
                })
            guard futimens(target, Self.now) == 0 else {
                throw BackupError.file(draft, call: "utimens", code: errno)
            }
            let path = "\(folder)/\(last).\(hash)"
            guard rename(draft, path) == 0 else { throw BackupError.file(path, call: "rename", code: errno) }
            bytesCopied += source.size
            filesCopied += 1
            return hash
        } catch {
            unlink(draft)
            throw error
        }
    }

    private func makeFolders(of name: String) throws(BackupError) {
        var folder = root
        let parts: [Substring] = [""] + name.split(separator: "/").dropLast()
        for part in parts {
            if !part.isEmpty { folder += "/\(part)" }
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .file(folder, call: "mkdir", code: errno) }
        }
    }

    private func list(_ entry: StoredFile, _ writer: BackupArchiveWriter) throws {
        lines += Array(entry.line.utf8)
        if lines.count >= BackupArchiveWriter.partSize { try writeList(writer) }
    }

    private func writeList(_ writer: BackupArchiveWriter) throws {
        guard !lines.isEmpty else { return }
        parts += 1
        try writer.add(StoredFile.folder + Numbered.name(parts), lines[...], modified: time(nil))
        lines.removeAll(keepingCapacity: true)
    }
}

/// The store of a backup that is checked or restored.
final class StoredFiles {
    private let root: String
    private let damaged: (String) -> BackupError
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    /// - Parameters:
    ///   - path: of the backup.
    ///   - damaged: makes the error for a store that is not as it was written.
    init(of path: String, damaged: @escaping (String) -> BackupError) {
        root = FileStore.root(in: BackupOutput.parts(of: path).folder)
        self.damaged = damaged
    }

    /// Reads a file and checks every byte of it. Another name of a file has no content.
    func read(_ stored: StoredFile, _ use: (ArraySlice<UInt8>) throws(BackupError) -> Void) throws(BackupError) {
        guard case .file(let hash, let size, _, _, let name) = stored else { return }
        let path = "\(root)/\(name).\(hash)"
        guard let file = try SourceFile(path) else { throw damaged("\(path) is missing") }
        guard file.size == size, Digest.hex(try file.read(into: &buffer, use)) == hash else {
            throw damaged("\(path) has changed")
        }
    }
}
