internal import Glibc

/// A file in shared memory in which the worker processes of a pool record their state and their counters.
///
/// Layout, in 8-byte words of the machine: a page of header (magic number, counters per slot), then `slotCount` slots
/// of 16 words about the process, each followed by the counters, then the words of the threads of all slots, then those
/// of the waiting requests of all slots. Every word is read and written atomically with relaxed ordering: the words are
/// separate facts for people and metrics, and no decision depends on two of them together. Only the words of the threads
/// are ordered, see `RunningRequests`, and those of the waiting requests, see `OldestHeldRequests`.
///
/// Counters belong to the slot, not to the process. A slot that is used again continues counting, so a sum over all
/// slots never falls during the file's lifetime.
public final class Scoreboard: Sendable {
    /// The number of processes that have room: every worker and, during a replacement, its replacement too.
    public static let slotCount = 64

    public enum Failure: Error, Equatable {
        /// A system call on the file failed, with its errno.
        case system(call: String, path: String, errno: Int32)
        /// The file is not a scoreboard or has another version.
        case notAScoreboard(path: String)
    }

    /// Counters of each slot.
    public let counters: Int

    let memory: SharedAtomics

    /// The path and the descriptor of the file, in the process that created it. Nil elsewhere. Workers open the file by
    /// the descriptor, because another file may have its path by then.
    private let path: String?
    let file: Int32?

    /// Creates an empty scoreboard file. It replaces an existing one, which stays valid for the processes that have it
    /// open.
    public static func create(path: String, counters: Int) throws(Failure) -> Scoreboard {
        let board = try draft(path: path, counters: counters)
        try board.publish()
        return board
    }

    /// Creates an empty scoreboard that appears at its path only when it is published.
    static func draft(path: String, counters: Int) throws(Failure) -> Scoreboard {
        let size = ScoreboardLayout.bytes(counters: counters)
        let draft = path + ".new"
        // A new file, not a truncated one: another process may still have an earlier draft open.
        unlink(draft)
        let plain = Glibc.open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard plain >= 0 else { throw .system(call: "open", path: draft, errno: errno) }
        let file = Descriptors.moveAboveWorkerRange(plain)
        let board: Scoreboard
        do throws(Failure) {
            guard ftruncate(file, off_t(size)) == 0 else { throw .system(call: "ftruncate", path: draft, errno: errno) }
            board = try Scoreboard(counters: counters, mapping: size, of: file, path: draft, createdFor: path)
        } catch {
            close(file)
            throw error
        }
        board.memory.store(ScoreboardLayout.magic, at: ScoreboardLayout.magicWord)
        board.memory.store(UInt64(counters), at: ScoreboardLayout.countersWord)
        return board
    }

    /// Moves the scoreboard to its path, where it replaces an earlier one.
    func publish() throws(Failure) {
        guard let path else { return }
        guard rename(path + ".new", path) == 0 else { throw .system(call: "rename", path: path, errno: errno) }
    }

    deinit { if let file { close(file) } }

    /// Opens the scoreboard of a running pool.
    public static func open(path: String) throws(Failure) -> Scoreboard {
        let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw .system(call: "open", path: path, errno: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(call: "fstat", path: path, errno: errno) }
        guard status.st_size >= ScoreboardLayout.headerBytes else { throw .notAScoreboard(path: path) }
        let header = try Scoreboard(counters: 0, mapping: ScoreboardLayout.headerBytes, of: file, path: path)
        let counters = Int(clamping: header.memory.load(ScoreboardLayout.countersWord))
        // Without this check, a file shorter than its header says would end the process by SIGBUS at the first read
        // past its end.
        guard header.memory.load(ScoreboardLayout.magicWord) == ScoreboardLayout.magic,
            counters <= ScoreboardLayout.maxCounters,
            Int(status.st_size) == ScoreboardLayout.bytes(counters: counters)
        else { throw .notAScoreboard(path: path) }
        return try Scoreboard(counters: counters, mapping: Int(status.st_size), of: file, path: path)
    }

    /// Creates a scoreboard of one process alone: of a worker without a pool, or of a test.
    static func inMemory(counters: Int) -> Scoreboard { Scoreboard(counters: counters) }

    private init(
        counters: Int, mapping size: Int, of file: Int32, path: String, createdFor home: String? = nil
    ) throws(Failure) {
        let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let base, base != MAP_FAILED else { throw .system(call: "mmap", path: path, errno: errno) }
        self.counters = counters
        memory = SharedAtomics(mapped: base, bytes: size)
        self.path = home
        self.file = home == nil ? nil : file
    }

    private init(counters: Int) {
        let size = ScoreboardLayout.bytes(counters: counters)
        let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // No input reaches this: the size depends on constants of the program alone, and the mapping has no file. A
        // process that gets no memory for a few pages at its start cannot work at all.
        guard let base, base != MAP_FAILED else {
            fatalError("cannot map \(size) bytes for a scoreboard: errno \(errno)")
        }
        self.counters = counters
        memory = SharedAtomics(mapped: base, bytes: size)
        path = nil
        file = nil
    }

    /// Claims a free slot for a process that is starting. Returns nil when all are taken.
    public func claim() -> ScoreboardSlot? {
        for index in 0..<Self.slotCount {
            let slot = ScoreboardSlot(board: self, index: index)
            if slot.claim() { return slot }
        }
        return nil
    }

    /// Returns the slot that another process claimed for this one, or nil when there is no slot of that index.
    public func slot(_ index: Int) -> ScoreboardSlot? {
        (0..<Self.slotCount).contains(index) ? ScoreboardSlot(board: self, index: index) : nil
    }

    /// The sum of a counter over all processes that used this scoreboard.
    public func sum(counter: Int) -> UInt64 {
        (0..<Self.slotCount).reduce(0) { $0 &+ ScoreboardSlot(board: self, index: $1).value(counter: counter) }
    }

    /// Reports every process of the pool, in slot order. Unused slots are left out.
    public func snapshot() -> [SlotReport] {
        (0..<Self.slotCount).map { ScoreboardSlot(board: self, index: $0).report() }
            .filter { $0.state != .free && $0.state != .dead }
    }
}
