import Crypto
import Glibc

/// Where a backup is written: a file that gets its name when it is complete and on disk, or a descriptor.
///
/// The last 65 bytes are the SHA-256 of all bytes before them in hexadecimal, and a line feed.
public final class BackupOutput {
    private let descriptor: Int32
    private let path: String?
    /// The program that encrypts what is written.
    private let encryption: ProgramPipe?
    /// The name of the unfinished file on file systems that have no files without a name.
    private var temporary: String?
    private var digest = RunningDigest()
    public private(set) var size = 0
    /// Called when the backup is complete and on disk, before it gets its name.
    private let willReplace: () -> Void

    /// The size of the hash at the end, in bytes.
    static let trailerSize = 65

    /// Writes to an open file or pipe.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        path = nil
        willReplace = {}
        encryption = nil
    }

    /// Writes to an open file or pipe what a program encrypts.
    public init(descriptor: Int32, encrypting key: EncryptionKey) throws(BackupError) {
        self.descriptor = descriptor
        path = nil
        willReplace = {}
        encryption = try key.encrypt(to: descriptor)
    }

    /// Writes a file that only its owner may read.
    public init(
        path: String, encrypting key: EncryptionKey? = nil, willReplace: @escaping () -> Void = {}
    ) throws(BackupError) {
        self.path = path
        self.willReplace = willReplace
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
        let (folder, name) = Self.parts(of: path)
        // O_TMPFILE of <fcntl.h>, which Swift does not import. The file has no name, so that nothing is left of a backup
        // that was killed.
        let unnamed = open(folder, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        if unnamed >= 0 {
            descriptor = unnamed
            encryption = try key?.encrypt(to: unnamed)
            return
        }
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
            throw .file(folder, call: "open", code: errno)
        }
        let hidden = "\(folder)/.\(name).part"
        unlink(hidden)
        descriptor = open(hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(hidden, call: "open", code: errno) }
        temporary = hidden
        encryption = try key?.encrypt(to: descriptor)
    }

    deinit {
        if let temporary { unlink(temporary) }
        if path != nil { close(descriptor) }
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(BackupError) {
        digest.add(bytes)
        try writeAll(bytes)
    }

    private func writeAll(_ bytes: ArraySlice<UInt8>) throws(BackupError) {
        do throws(WriteFailure) { try Descriptor.write(bytes, to: encryption?.descriptor ?? descriptor) } catch {
            // The program has ended and says why.
            if let encryption, error.code == EPIPE { throw encryption.failure() }
            throw .file(path ?? "standard output", call: "write", code: error.code)
        }
        size += bytes.count
    }

    /// Writes the hash, and gives the file its name once it is on disk.
    func finish() throws(BackupError) {
        try writeAll(Array((Digest.hex(digest.current()) + "\n").utf8)[...])
        try encryption?.finish()
        guard let path else { return }
        guard fsync(descriptor) == 0 else { throw .file(path, call: "fsync", code: errno) }
        willReplace()
        let (folder, name) = Self.parts(of: path)
        let complete = temporary ?? "\(folder)/.\(name).\(getpid()).new"
        if temporary == nil {
            unlink(complete)
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, complete, AT_SYMLINK_FOLLOW) == 0 else {
                throw .file(complete, call: "link", code: errno)
            }
        }
        guard rename(complete, path) == 0 else {
            let code = errno
            unlink(complete)
            throw .file(path, call: "rename", code: code)
        }
        temporary = nil
        let folderDescriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folderDescriptor >= 0 else { return }
        fsync(folderDescriptor)
        close(folderDescriptor)
    }

    static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }
}

/// A write(2) that failed.
struct WriteFailure: Error {
    var code: Int32
}

enum Descriptor {
    /// Writes all bytes.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(WriteFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw WriteFailure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the buffer is full or the input has ended.
    ///
    /// - Returns: the number of bytes; -1 with errno after an error.
    static func fill(_ buffer: inout [UInt8], upTo size: Int, from descriptor: Int32) -> Int {
        var filled = 0
        while filled < size {
            let count = buffer[filled..<size].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return -1 }
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
