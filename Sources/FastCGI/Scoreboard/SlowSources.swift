/// The sources that have their smaller limit for a while, in shared memory.
///
/// A key has one possible place. Two sources of the same place replace each other: one of them then has its usual limit.
struct SlowSources: Sendable {
    let memory: SharedAtomics
    /// The first of two words for each place: a key, and the end of its time in milliseconds of the monotonic clock.
    let firstWord: Int

    func contains(_ key: UInt64, at now: Duration) -> Bool {
        let word = self.word(of: key)
        return memory.loadInOrder(word) == key && now.wholeMilliseconds < memory.loadInOrder(word + 1)
    }

    func insert(_ key: UInt64, until end: Duration) {
        let word = self.word(of: key)
        // A thread that reads in between finds no source.
        memory.storeInOrder(0, at: word)
        memory.storeInOrder(end.wholeMilliseconds, at: word + 1)
        memory.storeInOrder(key, at: word)
    }

    private func word(of key: UInt64) -> Int {
        firstWord + Int(key % UInt64(ScoreboardLayout.slowSources)) * 2
    }
}

extension Scoreboard {
    var slowSources: SlowSources {
        SlowSources(memory: memory, firstWord: ScoreboardLayout.firstWordOfSlowSources(counters: counters))
    }
}
