internal import Glibc

/// One file in shared memory in which the worker processes of a pool write down how they are, and count.
///
/// Layout, in 8-byte words of the machine: a page of header (mark, counters per slot), then `slotCount` slots of
/// 16 words about the process followed by the counters. Every word is read and written atomically and relaxed: they are
/// separate facts for people and metrics, and nothing is decided from two of them together.
///
/// Counters belong to the place, not to the process: a slot that is used again goes on counting, so that a sum
/// over all slots never falls while the file lives.
public final class Scoreboard: Sendable {
    /// Processes that can be written down: every worker, and during a replacement its successor too.
    public static let slotCount = 64

    public enum Failure: Error, Equatable {
        /// A system call on the file failed, with its errno.
        case system(call: String, path: String, errno: Int32)
        /// The file is no scoreboard, or of another version.
        case notAScoreboard(path: String)
    }

    /// Counters of each slot.
    public let counters: Int

    let memory: SharedAtomics

    /// Where it was made, and its file, by which workers open it whatever stands at that path by then; nil but for
    /// the process that made it.
    private let path: String?
    let file: Int32?

    /// Makes an empty scoreboard in a file, replacing one that is there; processes that have the old one open keep it.
    public static func create(path: String, counters: Int) throws(Failure) -> Scoreboard {
        let board = try draft(path: path, counters: counters)
        try board.publish()
        return board
    }

    /// Makes an empty scoreboard that is not to be found at its path before it is published.
    static func draft(path: String, counters: Int) throws(Failure) -> Scoreboard {
        let size = Layout.bytes(counters: counters)
        let draft = path + ".new"
        // Not cut but made anew: somebody whose draft this was may still have it open.
        unlink(draft)
        let plain = Glibc.open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard plain >= 0 else { throw .system(call: "open", path: draft, errno: errno) }
        let file = Descriptors.outOfTheWay(plain)
        let board: Scoreboard
        do throws(Failure) {
            guard ftruncate(file, off_t(size)) == 0 else { throw .system(call: "ftruncate", path: draft, errno: errno) }
            board = try Scoreboard(counters: counters, mapping: size, of: file, path: draft, madeFor: path)
        } catch {
            close(file)
            throw error
        }
        board.memory.store(Layout.mark, at: Layout.markWord)
        board.memory.store(UInt64(counters), at: Layout.countersWord)
        return board
    }

    /// Puts the scoreboard at its path, in place of one that is there.
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
        guard status.st_size >= Layout.headerBytes else { throw .notAScoreboard(path: path) }
        let header = try Scoreboard(counters: 0, mapping: Layout.headerBytes, of: file, path: path)
        let counters = Int(clamping: header.memory.load(Layout.countersWord))
        // A file shorter than it says would end the process by SIGBUS at the first read past its end.
        guard header.memory.load(Layout.markWord) == Layout.mark, counters <= Layout.mostCounters,
            Int(status.st_size) == Layout.bytes(counters: counters)
        else { throw .notAScoreboard(path: path) }
        return try Scoreboard(counters: counters, mapping: Int(status.st_size), of: file, path: path)
    }

    /// A scoreboard of this process alone, for a worker without a pool and for tests.
    public static func inMemory(counters: Int) -> Scoreboard { Scoreboard(counters: counters) }

    private init(
        counters: Int, mapping size: Int, of file: Int32, path: String, madeFor home: String? = nil
    ) throws(Failure) {
        let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let base, base != MAP_FAILED else { throw .system(call: "mmap", path: path, errno: errno) }
        self.counters = counters
        memory = SharedAtomics(mapped: base, bytes: size)
        self.path = home
        self.file = home == nil ? nil : file
    }

    private init(counters: Int) {
        let size = Layout.bytes(counters: counters)
        let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // A few pages at the start of a process: where they cannot be had, nothing can.
        guard let base, base != MAP_FAILED else { fatalError("no \(size) bytes of memory for a scoreboard") }
        self.counters = counters
        memory = SharedAtomics(mapped: base, bytes: size)
        path = nil
        file = nil
    }

    /// Takes a free slot for a process that is starting; nil when all are taken.
    public func claim() -> ScoreboardSlot? {
        for index in 0..<Self.slotCount {
            let slot = ScoreboardSlot(board: self, index: index)
            if slot.claim() { return slot }
        }
        return nil
    }

    /// The slot of an index that another process claimed for this one; nil when there is no such slot.
    public func slot(_ index: Int) -> ScoreboardSlot? {
        (0..<Self.slotCount).contains(index) ? ScoreboardSlot(board: self, index: index) : nil
    }

    /// A counter over all processes that ever counted here.
    public func sum(counter: Int) -> UInt64 {
        (0..<Self.slotCount).reduce(0) { $0 &+ ScoreboardSlot(board: self, index: $1).value(counter: counter) }
    }

    /// How every process of the pool is, in slot order; slots nobody uses are left out.
    public func snapshot() -> [SlotReport] {
        (0..<Self.slotCount).map { ScoreboardSlot(board: self, index: $0).report() }.filter { $0.state != .free && $0.state != .dead }
    }
}

/// Where things stand in the file.
enum Layout {
    static let markWord = 0
    static let countersWord = 1
    /// "LECTPOOL" and the version of this layout.
    static let mark: UInt64 = 0x4c45_4354_504f_4f01
    static let headerBytes = 4_096
    static let slotWords = 16
    /// A bound against nonsense in the header of a file, far above any use.
    static let mostCounters = 1 << 16

    static func bytes(counters: Int) -> Int {
        headerBytes + Scoreboard.slotCount * (slotWords + counters) * MemoryLayout<UInt64>.size
    }

    static func firstWord(ofSlot index: Int, counters: Int) -> Int {
        headerBytes / MemoryLayout<UInt64>.size + index * (slotWords + counters)
    }
}
