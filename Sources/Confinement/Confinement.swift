import CSeccomp
import Glibc

/// Shuts the calling process in, for good: it keeps the descriptors it has and a bounded heap, and may compute. No files,
/// no network, no other processes.
///
/// To be called before a process starts threads, and before it sees what it is confined for. Needs no privilege, and holds for root
/// as well.
public struct Confinement: Sendable {
    /// Bytes of memory the process may take beyond what it has when it is confined.
    public var memoryBytes: Int
    /// What process lists call it, 15 bytes at most.
    public var name: String
    public var threads: Threads

    /// Whether it may start threads. Those of C libraries that cannot do without share its limits and its filter.
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

    /// - Returns: whether the system calls are filtered too. Where they cannot be (a container may forbid it, a kernel lack
    ///   it), the limits still leave no descriptor for files and sockets, and no processes; but to root limits are none.
    /// - Throws: when the limits cannot be set; the process is not to go on then.
    public func enter() throws(Failed) -> Bool {
        // What is to end the service ends its parent, and the parent's end this process: a Ctrl-C at the terminal, which
        // reaches both, must not cost a page.
        for signal in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(signal, SIG_IGN) }
        _ = confinement_set_name(name)
        try check(confinement_die_with_parent(), "die with its parent")
        try check(confinement_no_new_privileges(), "give up privileges")
        try check(confinement_handle_signals(), "handle signals")
        Self.volunteerForKilling()
        try limit()
        return SystemCallFilter.load(threads)
    }

    private func limit() throws(Failed) {
        let used = Self.memoryInUse()
        // The address space bounds what is shared or mapped, the data what is private: one of them counts every byte.
        var limits: [(Int32, Int)] = [
            (Int32(RLIMIT_AS.rawValue), used.space + memoryBytes), (Int32(RLIMIT_DATA.rawValue), used.data + memoryBytes),
            (Int32(RLIMIT_CORE.rawValue), 0), (Int32(RLIMIT_FSIZE.rawValue), 0),
            // Those that are open stay; there will be no other, of whatever kind.
            (Int32(RLIMIT_NOFILE.rawValue), 0),
        ]
        // It counts threads as well; where they are wanted the filter alone tells them from processes.
        if threads == .none { limits.append((Int32(__RLIMIT_NPROC.rawValue), 0)) }
        for (resource, most) in limits {
            try check(confinement_limit(resource, UInt64(most)), "set limit \(resource)")
        }
    }

    private func check(_ result: Int32, _ what: String) throws(Failed) {
        if result != 0 { throw Failed(description: "could not \(what): errno \(errno)") }
    }

    /// Where the whole machine runs out of memory, the kernel ends this process before others.
    private static func volunteerForKilling() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "1000", 4)
        close(file)
    }

    /// Bytes of address space and of data now. Where /proc is not to be had, more than a program of ours takes at its start.
    private static func memoryInUse() -> (space: Int, data: Int) {
        let unknown = (512 << 20, 64 << 20)
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return unknown }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return unknown }
        // proc(5): size, resident, shared, text, lib, data with stack, dirty; in pages.
        let pages = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard pages.count >= 6 else { return unknown }
        let size = sysconf(Int32(_SC_PAGESIZE))
        return (pages[0] * size, pages[5] * size)
    }
}

/// The clock of one piece of work: past its time the process ends.
public enum TimeLimit {
    /// - Parameter seconds: of processor time, so that other load on the machine does not count.
    public static func start(seconds: Int) {
        // What is found in errno at a fault is to be of this piece of work.
        errno = 0
        _ = confinement_set_timer(Int32(clamping: seconds))
    }

    public static func stop() { _ = confinement_set_timer(0) }
}
