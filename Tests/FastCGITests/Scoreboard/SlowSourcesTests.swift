import Testing

@testable import FastCGI

@Suite("FastCGI / slow sources")
struct SlowSourcesTests {
    private let slow = Scoreboard.inMemory(counters: 3).slowSources

    @Test("a source is slow until the end of its time, and no other source is")
    func end() {
        slow.insert(7, until: .seconds(10))
        #expect(slow.contains(7, at: .milliseconds(9_999)))
        #expect(!slow.contains(7, at: .seconds(10)))
        #expect(!slow.contains(8, at: .seconds(1)))
    }

    @Test("two sources of the same place replace each other, and neither counts as the other")
    func collision() {
        let other = 7 + UInt64(ScoreboardLayout.slowSources)
        slow.insert(7, until: .seconds(10))
        #expect(!slow.contains(other, at: .seconds(1)))
        slow.insert(other, until: .seconds(10))
        #expect(slow.contains(other, at: .seconds(1)))
        #expect(!slow.contains(7, at: .seconds(1)))
    }

    @Test("the first and the last place lie inside the memory", arguments: [1, 1_020, 1_021, UInt64.max])
    func bounds(key: UInt64) {
        slow.insert(key, until: .seconds(10))
        #expect(slow.contains(key, at: .seconds(1)))
    }
}
