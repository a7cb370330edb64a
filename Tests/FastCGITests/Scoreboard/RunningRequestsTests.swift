import Foundation
import Synchronization
import Testing

@testable import FastCGI

@Suite("FastCGI / running requests")
struct RunningRequestsTests {
    private let board = Scoreboard.inMemory(counters: 0)
    private let source = RequestSource(key: 7, limit: 2)

    private func process(threads: Int = 4) throws -> (slot: ScoreboardSlot, running: RunningRequests) {
        let slot = try #require(board.claim())
        slot.set(threads: threads)
        return (slot, RunningRequests(board: board, slot: slot))
    }

    @Test("a source has at most its limit of running requests in all processes together")
    func limit() throws {
        let (first, second) = (try process().running, try process().running)
        #expect(first.begin(source, on: 0) && second.begin(source, on: 0))
        #expect(!first.begin(source, on: 1) && !second.begin(source, on: 1))
        #expect(first.begin(RequestSource(key: 8, limit: 2), on: 1))
        second.end(on: 0)
        #expect(first.begin(source, on: 2))
        #expect(!second.begin(source, on: 0))
    }

    @Test("a process that died has no running requests, and neither has the next process in its slot")
    func death() throws {
        let (slot, dying) = try process()
        let other = try process().running
        #expect(dying.begin(source, on: 0) && dying.begin(source, on: 3))
        #expect(!other.begin(source, on: 0))
        slot.set(state: .dead)
        #expect(other.begin(source, on: 0))
        let heir = try process()
        #expect(heir.slot.index == slot.index)
        #expect(heir.running.begin(source, on: 0))
        #expect(!heir.running.begin(source, on: 1))
    }

    @Test("threads that begin at the same moment never exceed the limit")
    func race() throws {
        let now = Counter()
        let processes = try (0..<2).map { _ in try process().running }
        let (source, rounds) = (self.source, 2_000)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let (running, thread) = (processes[number % 2], number / 2)
            for _ in 0..<rounds where running.begin(source, on: thread) {
                now.enter()
                now.leave()
                running.end(on: thread)
            }
        }
        #expect(now.most >= 1 && now.most <= source.limit)
    }

    private final class Counter: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() {
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }
}
