import CFastCGI
import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / shared atomics")
struct SharedAtomicsTests {
    private let words: SharedAtomics

    init() throws {
        let base = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        words = SharedAtomics(mapped: try #require(base), bytes: 4_096)
    }

    @Test("words begin at zero and keep what is stored, added and subtracted")
    func arithmetic() {
        #expect(words.load(0) == 0)
        words.store(5, at: 1)
        words.add(3, at: 1)
        words.subtract(1, at: 1)
        #expect(words.load(1) == 7 && words.load(0) == 0 && words.load(2) == 0)
    }

    @Test("an exchange succeeds only if the word has the expected value")
    func exchange() {
        #expect(words.exchange(0, for: 4, at: 511))
        #expect(!words.exchange(0, for: 9, at: 511))
        #expect(words.load(511) == 4)
    }
}
