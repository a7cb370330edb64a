import Testing

@testable import FastCGI

@Suite("FastCGI / scoreboard slot")
struct ScoreboardSlotTests {
    private let board = Scoreboard.inMemory(counters: 2)

    @Test("a slot that a process has cannot be claimed again before the process is dead")
    func claim() throws {
        let slot = try #require(board.slot(5))
        #expect(slot.state == .free && slot.claim() && !slot.claim())
        slot.becomeReady()
        #expect(!slot.claim())
        slot.set(state: .dead)
        #expect(slot.claim() && slot.state == .starting)
    }

    @Test("each slot counts for itself")
    func counters() throws {
        let (first, second) = (try #require(board.slot(0)), try #require(board.slot(1)))
        first.add(counter: 0, by: 3)
        second.add(counter: 0, by: 4)
        second.add(counter: 1)
        #expect(first.value(counter: 0) == 3 && second.value(counter: 0) == 4 && first.value(counter: 1) == 0)
    }

    @Test("the report has the current number of threads, connections and requests")
    func report() throws {
        let slot = try #require(board.claim())
        slot.set(pid: 9)
        slot.set(threads: 8)
        for _ in 0..<3 { slot.threadIsBusy() }
        slot.threadIsIdle()
        for _ in 0..<2 { slot.connectionOpened() }
        slot.connectionClosed()
        for _ in 0..<4 { slot.requestQueued() }
        slot.requestDequeued()
        for _ in 0..<2 { slot.requestHeld() }
        slot.requestReleased()
        slot.requestServed()
        let report = slot.report()
        #expect(report.pid == 9 && report.threads == 8 && report.busyThreads == 2 && report.openConnections == 1)
        #expect(report.waitingRequests == 3 && report.heldRequests == 1 && report.requestsServed == 1)
    }
}
