import CSeccomp
import Glibc

/// Confines the calling process permanently. It keeps its open descriptors and a bounded heap, and can compute. It can
/// use no files, no network and no other processes.
///
/// Must be called before the process starts threads and before it receives untrusted data. Needs no privilege and also
/// applies to root.
public struct Confinement: Sendable {
    /// The memory that the process may use in addition to its memory at the time of confinement, in bytes.
    public var memoryBytes: Int
    /// The name in process lists, at most 15 bytes.
    public var name: String
    public var threads: Threads

    /// Whether the process may start threads, for C libraries that need them. Threads share its limits and its filter.
    public enum Threads: Sendable {
        case none, own
    }

    public init(memoryBytes: Int, name: String, threads: Threads = .none) {
        self.memoryBytes = memoryBytes
        self.name = name
        self.threads = threads
    }

    public struct Failed: Error, CustomStringConvertible {
        public var description: String
    }

    /// - Returns: whether system calls are filtered too. Where filtering is impossible (a container may forbid it, or
    ///   the kernel may lack it), the limits still allow no descriptor for files and sockets and no processes, but root
    ///   can exceed limits.
    /// - Throws: when the limits cannot be set. The process must then end.
    public func enter() throws(Failed) -> Bool {
        // Signals that stop the service end the parent, and the parent's end ends this process. A Ctrl-C at the
        // terminal reaches both and must not interrupt a page.
        for signal in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(signal, SIG_IGN) }
        _ = confinement_set_name(name)
        try check(confinement_die_with_parent(), "die with its parent")
        try check(confinement_no_new_privileges(), "give up privileges")
        try check(confinement_handle_signals(), "handle signals")
        Self.becomeFirstVictim()
        try limit()
        return SystemCallFilter.load(threads)
    }

    private func limit() throws(Failed) {
        let used = Self.memoryInUse()
        // RLIMIT_AS limits shared and mapped memory, RLIMIT_DATA private memory. Every byte counts in one of them.
        var limits: [(Int32, Int)] = [
            (Int32(RLIMIT_AS.rawValue), used.space + memoryBytes),
            (Int32(RLIMIT_DATA.rawValue), used.data + memoryBytes),
            (Int32(RLIMIT_CORE.rawValue), 0), (Int32(RLIMIT_FSIZE.rawValue), 0),
            // Open descriptors stay, and no new one of any kind can be opened.
            (Int32(RLIMIT_NOFILE.rawValue), 0),
        ]
        // RLIMIT_NPROC also counts threads. If threads are allowed, only the filter prevents processes.
        if threads == .none { limits.append((Int32(__RLIMIT_NPROC.rawValue), 0)) }
        for (resource, most) in limits {
            try check(confinement_limit(resource, UInt64(most)), "set limit \(resource)")
        }
    }

    private func check(_ result: Int32, _ what: String) throws(Failed) {
        if result != 0 { throw Failed(description: "could not \(what): errno \(errno)") }
    }

    /// Makes the kernel end this process before others when the machine runs out of memory.
    private static func becomeFirstVictim() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "1000", 4)
        close(file)
    }

    /// The current address space and data in bytes. Without /proc, more than such a program uses at its start.
    private static func memoryInUse() -> (space: Int, data: Int) {
        let unknown = (512 << 20, 64 << 20)
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return unknown }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return unknown }
        // proc(5): size, resident, shared, text, lib, data with stack, dirty; in pages.
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let pages = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard pages.count >= 6 else { return unknown }
        let size = sysconf(Int32(_SC_PAGESIZE))
        return (pages[0] * size, pages[5] * size)
    }
}
