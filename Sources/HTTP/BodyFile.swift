internal import Glibc

/// The body of a request that was written to a file as it arrived, because it may be too large for memory. The file is
/// deleted with this value unless it was kept.
public final class BodyFile: Sendable {
    /// A call of the system that failed.
    public struct Failure: Error, CustomStringConvertible {
        public var call: String
        public var code: Int32

        public var description: String { "\(call): \(String(cString: strerror(code)))" }

        /// Whether the disk is full, or the quota of its user.
        public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
    }

    private let path: String
    private let folder: String
    private let descriptor: Int32

    /// Creates an empty file.
    ///
    /// - Parameter path: of a file that does not exist.
    public init(at path: String) throws(Failure) {
        // The jobs process reads it as a member of the folder's group.
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
        self.path = path
        folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    deinit {
        close(descriptor)
        // Fails for a file that was kept, which has another name.
        unlink(path)
    }

    /// Adds bytes at the end.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(call: "write", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// The size in bytes.
    public var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Gives the file a name for good, once it is on disk. The name must lie in the same folder.
    public func keep(as name: String) throws(Failure) {
        // Whatever the process's umask is.
        guard fchmod(descriptor, 0o640) == 0 else { throw Failure(call: "fchmod", code: errno) }
        guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", code: errno) }
        guard rename(path, "\(folder)/\(name)") == 0 else { throw Failure(call: "rename", code: errno) }
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw Failure(call: "open", code: errno) }
        defer { close(parent) }
        guard fsync(parent) == 0 else { throw Failure(call: "fsync", code: errno) }
    }

    /// Deletes the file after it was kept under this name.
    public func remove(_ name: String) { unlink("\(folder)/\(name)") }
}
