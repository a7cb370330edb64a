import Crypto
import Glibc

/// A file of the home while it is copied.
final class SourceFile {
    private let descriptor: Int32
    private let path: String
    /// Bytes.
    let size: Int
    /// The permission bits.
    let mode: UInt32
    /// Seconds since 1970.
    let modified: Int
    /// What the names of one file have in common; nil for a file with a single name.
    let sharedID: FileID?

    /// - Returns: nil if there is no such file.
    init?(_ path: String) throws(BackupError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .file(path, call: "open", code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .file(path, call: "stat", code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path, call: "open", code: EINVAL) }
        size = Int(status.st_size)
        mode = status.st_mode & 0o777
        modified = status.st_mtim.tv_sec
        sharedID = status.st_nlink > 1 ? FileID(device: UInt(status.st_dev), inode: UInt(status.st_ino)) : nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the whole file in pieces.
    ///
    /// - Returns: its SHA-256.
    func read(
        into buffer: inout [UInt8], _ use: (ArraySlice<UInt8>) throws(BackupError) -> Void
    ) throws(BackupError) -> [UInt8] {
        var digest = RunningDigest()
        var rest = size
        while rest > 0 {
            let count = Descriptor.fill(&buffer, upTo: min(buffer.count, rest), from: descriptor)
            guard count >= 0 else { throw .file(path, call: "read", code: errno) }
            // The files of a home are never changed once they have their name.
            guard count > 0 else { throw .file(path, call: "read", code: EIO) }
            digest.add(buffer[..<count])
            try use(buffer[..<count])
            rest -= count
        }
        return digest.finish()
    }
}

struct FileID: Hashable {
    var device: UInt
    var inode: UInt
}
