import Folders
import Glibc

/// The folder of the picture files. A file has one name for each user who has its picture, and its bytes are stored
/// once: the names are hard links, so that none depends on another. Files with other names are left alone.
struct PictureFolder: Sendable {
    let path: String

    struct Failure: Error, CustomStringConvertible {
        var call: String
        var code: Int32

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// Whether the folder exists. Where it does not, its files are unreachable and not missing.
    var exists: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether the picture's file exists.
    func holds(_ address: PictureAddress) -> Bool {
        var status = stat()
        return lstat(file(address), &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    }

    /// Writes a file in one step: its name exists only once the whole file is on disk.
    func write(_ bytes: [UInt8], to address: PictureAddress) throws(Failure) {
        try makeFolder(of: address)
        let temporary = file(address) + Self.unfinished
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
        defer { close(descriptor) }
        do throws(Failure) {
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", code: errno) }
            guard rename(temporary, file(address)) == 0 else { throw Failure(call: "rename", code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        syncFolder(of: address)
    }

    /// Gives an existing file one more name.
    ///
    /// - Returns: false when the file does not exist, or cannot have another name.
    func link(_ existing: PictureAddress, as address: PictureAddress) throws(Failure) -> Bool {
        try makeFolder(of: address)
        guard holds(existing), Glibc.link(file(existing), file(address)) == 0 else { return false }
        syncFolder(of: address)
        return true
    }

    /// Removes a name of a file, and the file with its last name. Succeeds where the name does not exist.
    ///
    /// - Returns: false when the name could not be removed.
    func remove(_ address: PictureAddress) -> Bool {
        unlink(file(address)) == 0 || errno == ENOENT
    }

    // MARK: - All files

    /// Calls `body` for each picture file, with its age in seconds, and removes old unfinished files.
    func forEachFile(_ body: (PictureAddress, _ age: Int) -> Void) {
        for folder in Folder.names(in: path) where folder.utf8.count == 2 {
            for name in Folder.names(in: "\(path)/\(folder)") where !name.hasPrefix(".") {
                let whole = "\(path)/\(folder)/\(name)"
                let age = Folder.age(of: whole)
                if let address = PictureAddress("\(folder)/\(name)") {
                    body(address, age)
                } else if name.hasSuffix(".webp" + Self.unfinished), age > Self.maxWriteSeconds {
                    unlink(whole)
                }
            }
        }
    }

    private static let unfinished = ".part"
    /// Seconds after which an unfinished file is not being written any more.
    private static let maxWriteSeconds = 3_600

    // MARK: - One file

    private func file(_ address: PictureAddress) -> String { "\(path)/\(address.path)" }

    private func makeFolder(of address: PictureAddress) throws(Failure) {
        let folder = "\(path)/\(address.folder)"
        guard mkdir(folder, 0o750) == 0 || errno == EEXIST else { throw Failure(call: "mkdir", code: errno) }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                // The buffer has an address: the loop runs only while bytes are left.
                Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw Failure(call: "write", code: errno)
            }
            written += count
        }
    }

    /// Writes the folder to disk, so that the new name survives a power cut.
    private func syncFolder(of address: PictureAddress) {
        let descriptor = open("\(path)/\(address.folder)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
