internal import CFastCGI
internal import Glibc

/// The unix socket of a pool, and the lock that makes it ours.
///
/// The lock is a file of its own that is never removed: whoever holds it may replace the socket, and removing
/// it would let two processes lock two files of one name.
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

    /// The socket of another supervisor, which has given it to us with its lock.
    init(path: String, from estate: HandoverState) {
        self.path = path
        descriptor = estate.listener
        lock = estate.lock
        identity = Self.identity(of: path)
    }

    deinit {
        close(descriptor)
        close(lock)
    }

    /// Says that the lock is ours, for who reads whose it is.
    func sign() { Self.sign(lock) }

    /// Takes the name away, so that nobody can connect any more; what has connected stays. Leaves a socket
    /// alone that another program has put there since.
    func withdraw() {
        if let identity, Self.identity(of: path) == identity { unlink(path) }
    }

    /// The pid of the supervisor that owns the socket of a path; nil when none does.
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
        sign(file)
        return file
    }

    private static func sign(_ lock: Int32) {
        let pid = Array("\(getpid())\n".utf8)
        ftruncate(lock, 0)
        pwrite(lock, pid, pid.count, 0)
    }

    private static func readPid(_ file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        return Int32(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self))
    }

    /// A socket nobody listens on was left by a supervisor that was killed, and may go; anything else may not.
    private static func refuseIfTaken(_ path: String) throws(SupervisorFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .pathTaken(socketPath: path) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        defer { close(probe) }
        if fastcgi_connect(probe, path) == 0 { throw .pathTaken(socketPath: path) }
    }

    /// Made under another name and renamed, so that the socket is never there with other rights or before it listens.
    private static func listen(at path: String, mode: UInt32, backlog: Int32) throws(SupervisorFailure) -> Int32 {
        let draft = path + ".new"
        unlink(draft)
        let plain = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard plain >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        let listener = Descriptors.outOfTheWay(plain)
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
        // Every worker accepts when several were woken for one connection.
        try step("fcntl", fcntl(listener, F_SETFL, O_NONBLOCK))
        return listener
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }
}

/// Where a supervisor keeps its descriptors.
enum Descriptors {
    /// Moves a descriptor above those a worker gets (0 to 5), so that arranging a child's never overwrites one that
    /// is still to be copied, and keeps it from being inherited as it is.
    static func outOfTheWay(_ descriptor: Int32) -> Int32 {
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard moved >= 0 else { return descriptor }
        close(descriptor)
        return moved
    }
}
