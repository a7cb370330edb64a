import Crypto
import Folders
import Glibc

/// The folder of the books. Each is named after the SHA-256 of its bytes, so that a name never means another file.
struct BookFolder: Sendable {
    let path: String

    struct Failure: Error, CustomStringConvertible {
        var call: String
        var code: Int32

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// The path below the folder, such as `ab/ab….epub`.
    static func name(of hash: String) -> String { "\(hash.prefix(2))/\(hash).epub" }

    func file(of hash: String) -> String { "\(path)/\(Self.name(of: hash))" }

    /// The cover of a book, beside the book.
    func coverFile(of hash: String) -> String { "\(path)/\(hash.prefix(2))/\(hash).jpg" }

    func holds(_ hash: String) -> Bool {
        var status = stat()
        return lstat(file(of: hash), &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    }

    /// A new folder for the files of a book that is being made.
    func makeWorkFolder() throws(Failure) -> WorkFolder { try WorkFolder(in: path) }

    /// Gives a finished book its name once it is on disk.
    ///
    /// - Parameter cover: the file of its cover, which may be that of other books, too.
    /// - Returns: the name and the size in bytes.
    func keep(_ temporary: String, cover: String?) throws(Failure) -> (hash: String, bytes: Int) {
        // nginx reads it as the same user, or as a member of its group.
        let (hash, bytes) = try Self.finish(temporary, mode: 0o640)
        guard mkdir("\(path)/\(hash.prefix(2))", 0o750) == 0 || errno == EEXIST else {
            throw Failure(call: "mkdir", code: errno)
        }
        // The cover comes first, since the sweep deletes a cover without a book. Where the file system has no hard links,
        // the book has its cover only inside.
        if let cover {
            _ = try Self.finish(cover, mode: 0o640)
            link(cover, coverFile(of: hash))
        }
        guard rename(temporary, file(of: hash)) == 0 else { throw Failure(call: "rename", code: errno) }
        return (hash, bytes)
    }

    /// Writes a file to disk, and reads its hash and its size.
    static func finish(_ path: String, mode: mode_t) throws(Failure) -> (hash: String, bytes: Int) {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Failure(call: "open", code: errno) }
        defer { close(file) }
        var digest = RunningDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var bytes = 0
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count >= 0 else { throw Failure(call: "read", code: errno) }
            if count == 0 { break }
            digest.add(buffer[..<count])
            bytes += count
        }
        guard fchmod(file, mode) == 0, fsync(file) == 0 else { throw Failure(call: "fsync", code: errno) }
        return (Digest.hex(digest.finish()), bytes)
    }

    // MARK: - All files

    /// Deletes what workers that died have left, and calls `body` with the hash of each book, or cover without its book,
    /// that is older than an hour: a book gets its row right after its file.
    ///
    /// - Parameter oldEnough: an hour, in seconds, except in tests.
    func forEachOldBook(oldEnough: Int = 3_600, _ body: (String) -> Void) {
        for folder in Folder.names(in: path) {
            if folder.hasPrefix(WorkFolder.prefix), Folder.age(of: "\(path)/\(folder)") > oldEnough {
                WorkFolder.remove("\(path)/\(folder)")
            }
            guard folder.utf8.count == 2 else { continue }
            for name in Folder.names(in: "\(path)/\(folder)") {
                let hash = String(name.prefix(64))
                let file = "\(path)/\(folder)/\(name)"
                let isBook = file == self.file(of: hash)
                guard isBook || file == coverFile(of: hash) && !holds(hash) else { continue }
                if hash.utf8.count == 64, Folder.age(of: file) > oldEnough { body(hash) }
            }
        }
    }

    /// Deletes a book and its cover. The cover goes first: if the same book is kept again at this moment, it may lack its
    /// file and is made again, but it never lacks the cover alone.
    func remove(_ hash: String) {
        unlink(coverFile(of: hash))
        unlink(file(of: hash))
    }
}
