internal import CFastCGI
internal import Glibc

/// The unix socket of a pool and the lock that proves its ownership.
///
/// The lock is a separate file that is never removed. Its holder may replace the socket, and removing it would let two
/// processes lock two files of the same name.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    private let path: String
    let lock: Int32
    private let identity: Identity?

    private struct Identity: Equatable {
        var device: UInt
        var number: UInt
    }

    init(path: String, mode: UInt32, backlog: Int32) throws(SupervisorFailure) {
        let lock = try Self.takeLock(for: path)
        let listener: Int32
        do throws(SupervisorFailure) {
            try Self.refuseIfTaken(path)
            listener = try Self.listen(at: path, mode: mode, backlog: backlog)
        } catch {
            close(lock)
            throw error
        }
        self.path = path
        self.lock = lock
        descriptor = listener
        identity = Self.identity(of: path)
    }

    /// The socket of another supervisor, which has handed it over with its lock.
    init(path: String, from state: HandoverState) {
        self.path = path
        descriptor = state.listener
        lock = state.lock
        identity = Self.identity(of: path)
    }

    deinit {
        close(descriptor)
        close(lock)
    }

    /// Writes this process's pid into the lock file, for readers that ask who holds the lock.
    func writePid() { Self.writePid(to: lock) }

    /// Removes the socket's file, so that no one can connect any more. Existing connections stay. A socket that another
    /// program has put there since is left alone.
    func withdraw() {
        if let identity, Self.identity(of: path) == identity { unlink(path) }
    }

    /// Returns the pid of the supervisor that owns the socket at a path (0 if it cannot be read), or nil when none
    /// does.
    static func owner(of path: String) -> Int32? {
        let file = open(path + ".lock", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) == 0 ? nil : readPid(file) ?? 0
    }

    private static func takeLock(for path: String) throws(SupervisorFailure) -> Int32 {
        let file = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(call: "open", path: path + ".lock", errno: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let pid = readPid(file)
            close(file)
            throw .alreadyRunning(socketPath: path, pid: pid)
        }
        writePid(to: file)
        return file
    }

    private static func writePid(to lock: Int32) {
        let pid = Array("\(getpid())\n".utf8)
        ftruncate(lock, 0)
        pwrite(lock, pid, pid.count, 0)
    }

    private static func readPid(_ file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        return Int32(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self))
    }

    /// Throws unless the path is free. A socket that no process listens on counts as free: a killed supervisor left it.
    private static func refuseIfTaken(_ path: String) throws(SupervisorFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .pathTaken(socketPath: path) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        defer { close(probe) }
        if fastcgi_connect(probe, path) == 0 { throw .pathTaken(socketPath: path) }
    }

    /// Creates the socket under another name and renames it, so that it never appears with other permissions or before
    /// it listens.
    private static func listen(at path: String, mode: UInt32, backlog: Int32) throws(SupervisorFailure) -> Int32 {
        let draft = path + ".new"
        unlink(draft)
        let plain = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard plain >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        let listener = Descriptors.moveAboveWorkerRange(plain)
        func step(_ call: String, _ result: Int32) throws(SupervisorFailure) {
            if result == 0 { return }
            let reason = errno
            close(listener)
            throw .system(call: call, path: path, errno: reason)
        }
        let before = umask(0o777)
        let bound = fastcgi_bind(listener, draft)
        let reason = errno
        umask(before)
        errno = reason
        try step("bind", bound)
        try step("listen", Glibc.listen(listener, backlog))
        try step("chmod", chmod(draft, mode))
        try step("rename", rename(draft, path))
        // Non-blocking, because several workers may be woken for one connection and all of them accept.
        try step("fcntl", fcntl(listener, F_SETFL, O_NONBLOCK))
        return listener
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }
}
