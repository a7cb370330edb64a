/// Hints by the hash of a word. Names on a page are looked up by the thousand, and their hashes need no second hashing, as
/// in a dictionary.
struct BlockHintTable: Sendable {
    private struct Slot {
        var hash: UInt64 = 0
        /// Empty in a free slot.
        var hints: BlockHints = []
    }

    /// The number is a power of two, and most slots are free.
    private var slots: [Slot]

    init(_ hints: [UInt64: BlockHints]) {
        var count = 64
        while count < hints.count * 4 { count *= 2 }
        slots = Array(repeating: Slot(), count: count)
        for (hash, hints) in hints {
            var index = Int(truncatingIfNeeded: hash) & (count - 1)
            while !slots[index].hints.isEmpty { index = (index + 1) & (count - 1) }
            slots[index] = Slot(hash: hash, hints: hints)
        }
    }

    /// Returns no hints for an unknown word.
    subscript(hash: UInt64) -> BlockHints {
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while !slots[index].hints.isEmpty {
            if slots[index].hash == hash { return slots[index].hints }
            index = (index + 1) & (slots.count - 1)
        }
        return []
    }
}
