import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / scoreboard")
struct ScoreboardTests {
    private let folder = TemporaryFolder()

    @Test("a process that opened the file sees another process's counts")
    func shared() throws {
        let ours = try Scoreboard.create(path: folder.file("board"), counters: 3)
        let theirs = try Scoreboard.open(path: folder.file("board"))
        let slot = try #require(ours.claim())
        slot.add(counter: 2, by: 5)
        slot.set(pid: 77)
        slot.set(threads: 4)
        slot.threadIsBusy()
        slot.requestServed()
        #expect(theirs.counters == 3)
        #expect(theirs.sum(counter: 2) == 5)
        let report = try #require(theirs.snapshot().first)
        #expect(report.pid == 77 && report.state == .starting && report.threads == 4)
        #expect(report.busyThreads == 1 && report.requestsServed == 1 && report.openConnections == 0)
    }

    @Test("a sum never falls when a slot is used again, and the new process starts from zero")
    func monotone() throws {
        let board = Scoreboard.inMemory(counters: 1)
        let first = try #require(board.claim())
        first.add(counter: 0, by: 7)
        first.requestServed()
        first.threadIsBusy()
        first.set(state: .dead)
        let second = try #require(board.claim())
        #expect(second.index == first.index)
        #expect(board.sum(counter: 0) == 7)
        #expect(second.report().requestsServed == 0 && second.report().busyThreads == 0)
        second.add(counter: 0)
        #expect(board.sum(counter: 0) == 8)
    }

    @Test("64 processes have a slot, the next one has none, and a dead one frees its slot")
    func full() throws {
        let board = Scoreboard.inMemory(counters: 0)
        let slots = (0..<Scoreboard.slotCount).compactMap { _ in board.claim() }
        #expect(slots.count == 64 && board.claim() == nil)
        slots[40].set(state: .dead)
        #expect(board.claim()?.index == 40)
    }

    @Test("a counter number out of range is ignored and changes no other counter")
    func bounds() throws {
        let board = Scoreboard.inMemory(counters: 1)
        let slot = try #require(board.claim())
        slot.add(counter: 1)
        slot.add(counter: -1)
        #expect(board.sum(counter: 0) == 0 && board.sum(counter: 1) == 0 && slot.report().state == .starting)
        #expect(board.slot(64) == nil && board.slot(-1) == nil)
    }

    @Test("only a ready worker can ask for a replacement, and a draining one stays draining")
    func states() throws {
        let slot = try #require(Scoreboard.inMemory(counters: 0).claim())
        slot.askForReplacement()
        #expect(slot.state == .starting)
        slot.becomeReady()
        slot.askForReplacement()
        #expect(slot.state == .recycling)
        slot.set(state: .draining)
        slot.becomeReady()
        #expect(slot.state == .draining)
    }

    @Test("a file that is not a scoreboard, or is truncated, is rejected", arguments: [0, 10, 4_096, 20_000])
    func foreign(bytes: Int) throws {
        let path = folder.file("board")
        _ = try Scoreboard.create(path: path, counters: 512)
        if bytes == 20_000 {
            truncate(path, bytes)
        } else {
            try Data(count: bytes).write(to: URL(filePath: path))
        }
        #expect(throws: Scoreboard.Failure.notAScoreboard(path: path)) { try Scoreboard.open(path: path) }
    }

    @Test("a new scoreboard replaces an old one without affecting its readers")
    func replaced() throws {
        let old = try Scoreboard.create(path: folder.file("board"), counters: 1)
        try #require(old.claim()).add(counter: 0, by: 3)
        let new = try Scoreboard.create(path: folder.file("board"), counters: 1)
        #expect(old.sum(counter: 0) == 3 && new.sum(counter: 0) == 0)
    }
}
