import Crypto
import Folders
import Glibc

/// A document whose file is in its folder.
struct StoredDocument: Sendable, Equatable {
    var kind: DocumentKind
    /// SHA-256 of the content, in hexadecimal.
    var hash: String
    /// The path below the folder.
    var address: String
    var bytes: Int
}

/// The folder of documents. A file is named after its hash and the import that brought it, so that each has one owner.
struct DocumentFolder: Sendable {
    let path: String

    struct Failure: Error, CustomStringConvertible {
        var call: String
        var code: Int32

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    func file(of address: String) -> String { "\(path)/\(address)" }

    private func temporary(of id: String) -> String { "\(path)/.\(id)" }

    /// Copies a file and gives the copy its name once it is on disk. The copy belongs to the user of this process, and
    /// nginx may read it, which is not so for an upload.
    ///
    /// - Parameter progress: called after every piece; its error ends the copying.
    func keep(
        _ pieces: Pieces, of id: String, _ kind: DocumentKind, progress: () throws -> Void
    ) throws -> StoredDocument {
        let temporary = temporary(of: id)
        do {
            let (hash, bytes) = try copy(pieces, to: temporary, progress: progress)
            let address = "\(hash.prefix(2))/\(hash)-\(id)"
            guard mkdir("\(path)/\(hash.prefix(2))", 0o750) == 0 || errno == EEXIST else {
                throw Failure(call: "mkdir", code: errno)
            }
            guard rename(temporary, file(of: address)) == 0 else { throw Failure(call: "rename", code: errno) }
            return StoredDocument(kind: kind, hash: hash, address: address, bytes: bytes)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Copies a file and syncs the copy to the disk.
    ///
    /// - Returns: the hash of the content, and its length.
    private func copy(
        _ pieces: Pieces, to target: String, progress: () throws -> Void
    ) throws -> (hash: String, bytes: Int) {
        let output = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard output >= 0 else { throw Failure(call: "open", code: errno) }
        defer { close(output) }
        var digest = RunningDigest()
        var bytes = 0
        while let piece = try pieces() {
            digest.add(piece[...])
            bytes += piece.count
            var written = 0
            while written < piece.count {
                let more = piece[written...].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { throw Failure(call: "write", code: errno) }
                written += more
            }
            try progress()
        }
        // nginx reads it as the same user, or as a member of its group.
        guard fchmod(output, 0o640) == 0, fsync(output) == 0 else { throw Failure(call: "fsync", code: errno) }
        return (Digest.hex(digest.finish()), bytes)
    }

    func remove(_ address: String) { unlink(file(of: address)) }

    /// The addresses of files that are older than an hour: a file gets its row right after it is there. Deletes
    /// unfinished copies.
    func old() -> [String] {
        var addresses: [String] = []
        for folder in Folder.names(in: path) {
            if folder.hasPrefix("."), Folder.age(of: "\(path)/\(folder)") > ImportFolder.oldEnough {
                unlink("\(path)/\(folder)")
            }
            guard folder.utf8.count == 2 else { continue }
            for name in Folder.names(in: "\(path)/\(folder)") where name.hasPrefix(folder) {
                let address = "\(folder)/\(name)"
                if Folder.age(of: file(of: address)) > ImportFolder.oldEnough { addresses.append(address) }
            }
        }
        return addresses
    }
}
