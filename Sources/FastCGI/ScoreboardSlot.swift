internal import Glibc

/// What a worker process does, as its slot tells.
public enum WorkerState: UInt64, Sendable {
    /// Never used.
    case free
    /// Started, not every handler made yet.
    case starting
    case ready
    /// Takes nothing new, finishes what it has.
    case draining
    /// Has served enough; works on until its replacement is ready.
    case recycling
    /// Its process is gone; the slot may be used again.
    case dead
}

/// How one worker process is, at one moment.
public struct SlotReport: Sendable, Equatable {
    public var index: Int
    public var pid: Int32
    public var state: WorkerState
    /// Seconds since 1970.
    public var startedAt: Int
    /// Those for ordinary requests.
    public var threads: Int
    public var busyThreads: Int
    /// Connections of the web server this process holds, idle ones included.
    public var openConnections: Int
    /// Requests that wait for the slow thread, the one it works on among them.
    public var waitingRequests: Int
    /// Requests answered by this process.
    public var requestsServed: Int
}

/// The place of one process on the scoreboard.
public struct ScoreboardSlot: Sendable {
    public let index: Int
    private let board: Scoreboard
    private let first: Int

    init(board: Scoreboard, index: Int) {
        self.board = board
        self.index = index
        first = Layout.firstWord(ofSlot: index, counters: board.counters)
    }

    /// Adds to one of the counters, which are numbered from 0; one that does not exist is not counted.
    public func add(counter: Int, by amount: UInt64 = 1) {
        guard counter >= 0, counter < board.counters else { return }
        board.memory.add(amount, at: first + Layout.slotWords + counter)
    }

    /// What this slot has counted, its earlier processes included.
    public func value(counter: Int) -> UInt64 {
        guard counter >= 0, counter < board.counters else { return 0 }
        return board.memory.load(first + Layout.slotWords + counter)
    }

    public func report() -> SlotReport {
        SlotReport(
            index: index, pid: Int32(truncatingIfNeeded: word(.pid)), state: state, startedAt: Int(word(.startedAt)),
            threads: Int(word(.threads)), busyThreads: Int(word(.busyThreads)),
            openConnections: Int(word(.openConnections)), waitingRequests: Int(word(.waitingRequests)),
            requestsServed: Int(word(.requests) &- word(.requestsBefore)))
    }

    public var state: WorkerState { WorkerState(rawValue: word(.state)) ?? .dead }

    // MARK: - Written by the pool

    private enum Word: Int {
        case state, pid, startedAt, threads, busyThreads, openConnections
        /// Requests counted by this slot, and how many they were when its process began.
        case requests, requestsBefore
        case waitingRequests
    }

    private func word(_ word: Word) -> UInt64 { board.memory.load(first + word.rawValue) }
    private func set(_ word: Word, _ value: UInt64) { board.memory.store(value, at: first + word.rawValue) }

    /// Makes the slot ours if nobody has it. The counters stay, see `Scoreboard`.
    func claim() -> Bool {
        let at = first + Word.state.rawValue
        let isOurs =
            board.memory.exchange(WorkerState.dead.rawValue, for: WorkerState.starting.rawValue, at: at)
            || board.memory.exchange(WorkerState.free.rawValue, for: WorkerState.starting.rawValue, at: at)
        guard isOurs else { return false }
        for gauge in [Word.pid, .threads, .busyThreads, .openConnections, .waitingRequests] { set(gauge, 0) }
        set(.requestsBefore, word(.requests))
        set(.startedAt, UInt64(time(nil)))
        return true
    }

    func set(state: WorkerState) { set(.state, state.rawValue) }
    func set(pid: Int32) { set(.pid, UInt64(pid)) }
    func set(threads: Int) { set(.threads, UInt64(threads)) }
    func connectionIsOpen() { board.memory.add(1, at: first + Word.openConnections.rawValue) }
    func connectionIsGone() { board.memory.subtract(1, at: first + Word.openConnections.rawValue) }
    func threadIsBusy() { board.memory.add(1, at: first + Word.busyThreads.rawValue) }
    func threadIsIdle() { board.memory.subtract(1, at: first + Word.busyThreads.rawValue) }
    func requestWaits() { board.memory.add(1, at: first + Word.waitingRequests.rawValue) }
    func requestHasWaited() { board.memory.subtract(1, at: first + Word.waitingRequests.rawValue) }
    func requestServed() { board.memory.add(1, at: first + Word.requests.rawValue) }

    /// Only from `starting`: a worker told to go meanwhile stays `draining`.
    func becomeReady() { change(from: .starting, to: .ready) }

    /// Only from `ready`.
    func askForReplacement() { change(from: .ready, to: .recycling) }

    private func change(from old: WorkerState, to new: WorkerState) {
        _ = board.memory.exchange(old.rawValue, for: new.rawValue, at: first + Word.state.rawValue)
    }
}
