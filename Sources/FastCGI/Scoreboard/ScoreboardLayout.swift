/// The layout of the scoreboard file.
enum ScoreboardLayout {
    static let magicWord = 0
    static let countersWord = 1
    /// "LECTPOO" and the version of this layout.
    static let magic: UInt64 = 0x4c45_4354_504f_4f03
    static let headerBytes = 4_096
    static let slotWords = 16
    /// A bound far above any use, against an invalid header.
    static let maxCounters = 1 << 16

    static func bytes(counters: Int) -> Int {
        firstWord(ofHeldIn: Scoreboard.slotCount, counters: counters) * MemoryLayout<UInt64>.size
    }

    static func firstWord(ofSlot index: Int, counters: Int) -> Int {
        headerBytes / MemoryLayout<UInt64>.size + index * (slotWords + counters)
    }

    /// The words of threads follow the last slot, together and not in the slots: counting running requests reads them
    /// at every request.
    static func firstWord(ofThreadsIn index: Int, counters: Int) -> Int {
        firstWord(ofSlot: Scoreboard.slotCount, counters: counters) + index * WorkerOptions.mostThreads
    }

    /// How many sources a process can announce whose requests wait. More at the same time are rare.
    static let heldSources = 16

    /// Two words for each of these sources follow the words of the threads: its key and the deadline of its oldest
    /// request.
    static func firstWord(ofHeldIn index: Int, counters: Int) -> Int {
        firstWord(ofThreadsIn: Scoreboard.slotCount, counters: counters) + index * heldSources * 2
    }
}
