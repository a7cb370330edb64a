import Testing

@testable import FastCGI

@Suite("FastCGI / oldest held requests")
struct OldestHeldRequestsTests {
    private let board = Scoreboard.inMemory(counters: 0)
    private let source = RequestSource(key: 7, limit: 2)

    private func process(threads: Int = 4) throws -> (slot: ScoreboardSlot, oldest: OldestHeldRequests) {
        let slot = try #require(board.claim())
        slot.set(threads: threads)
        return (slot, OldestHeldRequests(board: board, slot: slot))
    }

    @Test("a request does not overtake one of its source that came much earlier to another worker")
    func order() throws {
        let (first, second) = (try process(), try process())
        first.slot.requestHeld()
        first.oldest.announce(source, deadline: .seconds(10), at: 0)
        #expect(second.oldest.areOvertaken(by: source, deadline: .seconds(11)))
        #expect(!second.oldest.areOvertaken(by: source, deadline: .milliseconds(10_008)))
        #expect(!second.oldest.areOvertaken(by: RequestSource(key: 8, limit: 2), deadline: .seconds(11)))
        #expect(!first.oldest.areOvertaken(by: source, deadline: .seconds(11)))
        first.oldest.withdraw(place: 0)
        #expect(!second.oldest.areOvertaken(by: source, deadline: .seconds(11)))
    }

    @Test("a worker that has died or has no free thread holds up no other one")
    func unableWorkers() throws {
        let (first, second) = (try process(threads: 1), try process())
        first.slot.requestHeld()
        first.oldest.announce(source, deadline: .seconds(10), at: 3)
        first.slot.threadIsBusy()
        #expect(!second.oldest.areOvertaken(by: source, deadline: .seconds(11)))
        first.slot.threadIsIdle()
        #expect(second.oldest.areOvertaken(by: source, deadline: .seconds(11)))
        first.slot.set(state: .dead)
        #expect(!second.oldest.areOvertaken(by: source, deadline: .seconds(11)))
        let heir = try process()
        heir.slot.requestHeld()
        #expect(heir.slot.index == first.slot.index)
        #expect(!second.oldest.areOvertaken(by: source, deadline: .seconds(11)))
    }
}
