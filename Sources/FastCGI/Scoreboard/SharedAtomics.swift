internal import Glibc
internal import Synchronization

/// Shared memory as an array of atomic words.
final class SharedAtomics: @unchecked Sendable {
    // Unchecked: the pointer never changes, the mapping lives as long as this object, every index is checked, and each
    // word is accessed only through `Atomic`. The words need no initialisation: the kernel provides zeroed pages, and
    // zero is the representation of `Atomic<UInt64>(0)`.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let count: Int

    /// Takes ownership of a mapping, which is unmapped with this object.
    init(mapped base: UnsafeMutableRawPointer, bytes: Int) {
        count = bytes / MemoryLayout<UInt64>.size
        words = base.bindMemory(to: Atomic<UInt64>.self, capacity: count)
    }

    deinit { munmap(words, count * MemoryLayout<UInt64>.size) }

    func load(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < count)
        return words[index].load(ordering: .relaxed)
    }

    func store(_ value: UInt64, at index: Int) {
        precondition(index >= 0 && index < count)
        words[index].store(value, ordering: .relaxed)
    }

    /// Loads and stores with this ordering have one order that all threads of all processes agree on.
    func loadInOrder(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < count)
        return words[index].load(ordering: .sequentiallyConsistent)
    }

    func storeInOrder(_ value: UInt64, at index: Int) {
        precondition(index >= 0 && index < count)
        words[index].store(value, ordering: .sequentiallyConsistent)
    }

    func add(_ amount: UInt64, at index: Int) {
        precondition(index >= 0 && index < count)
        words[index].wrappingAdd(amount, ordering: .relaxed)
    }

    func subtract(_ amount: UInt64, at index: Int) {
        precondition(index >= 0 && index < count)
        words[index].wrappingSubtract(amount, ordering: .relaxed)
    }

    /// Writes a value if the word has the expected one. Returns false otherwise.
    func exchange(_ expected: UInt64, for value: UInt64, at index: Int) -> Bool {
        precondition(index >= 0 && index < count)
        return words[index].compareExchange(expected: expected, desired: value, ordering: .relaxed).exchanged
    }
}
