internal import Glibc

/// The part of the scoreboard that belongs to one process.
public struct ScoreboardSlot: Sendable {
    public let index: Int
    private let board: Scoreboard
    private let first: Int
    private let firstThread: Int
    private let firstHeld: Int

    init(board: Scoreboard, index: Int) {
        self.board = board
        self.index = index
        first = ScoreboardLayout.firstWord(ofSlot: index, counters: board.counters)
        firstThread = ScoreboardLayout.firstWord(ofThreadsIn: index, counters: board.counters)
        firstHeld = ScoreboardLayout.firstWord(ofHeldIn: index, counters: board.counters)
    }

    /// Adds to one of the counters, which are numbered from 0. A number beyond the last counter is ignored.
    public func add(counter: Int, by amount: UInt64 = 1) {
        guard counter >= 0, counter < board.counters else { return }
        board.memory.add(amount, at: first + ScoreboardLayout.slotWords + counter)
    }

    /// The counter's value in this slot, including the slot's earlier processes.
    public func value(counter: Int) -> UInt64 {
        guard counter >= 0, counter < board.counters else { return 0 }
        return board.memory.load(first + ScoreboardLayout.slotWords + counter)
    }

    public func report() -> SlotReport {
        SlotReport(
            index: index, pid: Int32(truncatingIfNeeded: word(.pid)), state: state, startedAt: Int(word(.startedAt)),
            threads: Int(word(.threads)), busyThreads: Int(word(.busyThreads)),
            openConnections: Int(word(.openConnections)), waitingRequests: Int(word(.waitingRequests)),
            heldRequests: Int(word(.heldRequests)), requestsServed: Int(word(.requests) &- word(.requestsBefore)))
    }

    public var state: WorkerState { WorkerState(rawValue: word(.state)) ?? .dead }

    // MARK: - Used by the pool

    private enum Word: Int {
        case state, pid, startedAt, threads, busyThreads, openConnections
        /// Requests counted by this slot, and their number when the current process started.
        case requests, requestsBefore
        case waitingRequests, heldRequests
    }

    private func word(_ word: Word) -> UInt64 { board.memory.load(first + word.rawValue) }
    private func set(_ word: Word, _ value: UInt64) { board.memory.store(value, at: first + word.rawValue) }

    /// Claims the slot for a new process if no process has it. The counters keep their values, see `Scoreboard`.
    func claim() -> Bool {
        let at = first + Word.state.rawValue
        let isClaimed =
            board.memory.exchange(WorkerState.dead.rawValue, for: WorkerState.starting.rawValue, at: at)
            || board.memory.exchange(WorkerState.free.rawValue, for: WorkerState.starting.rawValue, at: at)
        guard isClaimed else { return false }
        for gauge in [Word.pid, .threads, .busyThreads, .openConnections, .waitingRequests, .heldRequests] {
            set(gauge, 0)
        }
        for thread in 0..<WorkerOptions.mostThreads { set(running: 0, on: thread) }
        for place in 0..<ScoreboardLayout.heldSources { set(held: 0, deadline: 0, at: place) }
        set(.requestsBefore, word(.requests))
        set(.startedAt, UInt64(time(nil)))
        return true
    }

    func set(state: WorkerState) { set(.state, state.rawValue) }
    func set(pid: Int32) { set(.pid, UInt64(pid)) }
    func set(threads: Int) { set(.threads, UInt64(threads)) }
    func connectionOpened() { board.memory.add(1, at: first + Word.openConnections.rawValue) }
    func connectionClosed() { board.memory.subtract(1, at: first + Word.openConnections.rawValue) }
    func threadIsBusy() { board.memory.add(1, at: first + Word.busyThreads.rawValue) }
    func threadIsIdle() { board.memory.subtract(1, at: first + Word.busyThreads.rawValue) }
    func requestQueued() { board.memory.add(1, at: first + Word.waitingRequests.rawValue) }
    func requestDequeued() { board.memory.subtract(1, at: first + Word.waitingRequests.rawValue) }
    func requestHeld() { board.memory.add(1, at: first + Word.heldRequests.rawValue) }
    func requestReleased() { board.memory.subtract(1, at: first + Word.heldRequests.rawValue) }
    func requestServed() { board.memory.add(1, at: first + Word.requests.rawValue) }

    // MARK: - Threads

    /// Sets the key of the source that a thread works for, or 0.
    func set(running key: UInt64, on thread: Int) {
        precondition((0..<WorkerOptions.mostThreads).contains(thread))
        board.memory.storeInOrder(key, at: firstThread + thread)
    }

    /// The number of this slot's threads that work for a source.
    func threadsRunning(_ key: UInt64) -> Int {
        let threads = min(Int(clamping: word(.threads)), WorkerOptions.mostThreads)
        return (0..<threads).count { board.memory.loadInOrder(firstThread + $0) == key }
    }

    // MARK: - Waiting requests

    /// Sets the key of a source whose requests wait, and the deadline of the oldest, in milliseconds of the monotonic
    /// clock. The key 0 stands for no source.
    func set(held key: UInt64, deadline: UInt64, at place: Int) {
        precondition((0..<ScoreboardLayout.heldSources).contains(place))
        let word = firstHeld + place * 2
        // A process that reads in between finds no source.
        board.memory.storeInOrder(0, at: word)
        board.memory.storeInOrder(deadline, at: word + 1)
        if key != 0 { board.memory.storeInOrder(key, at: word) }
    }

    /// The deadline of the oldest waiting request of a source, or nil when none is announced.
    func deadline(ofHeld key: UInt64) -> UInt64? {
        for place in 0..<ScoreboardLayout.heldSources where board.memory.loadInOrder(firstHeld + place * 2) == key {
            return board.memory.loadInOrder(firstHeld + place * 2 + 1)
        }
        return nil
    }

    var holdsRequestAndHasFreeThread: Bool { word(.heldRequests) > 0 && word(.busyThreads) < word(.threads) }

    // MARK: - States

    /// Changes `starting` to `ready`. A worker that was told to stop during its start stays `draining`.
    func becomeReady() { change(from: .starting, to: .ready) }

    /// Changes `ready` to `recycling`.
    func askForReplacement() { change(from: .ready, to: .recycling) }

    private func change(from old: WorkerState, to new: WorkerState) {
        _ = board.memory.exchange(old.rawValue, for: new.rawValue, at: first + Word.state.rawValue)
    }
}
