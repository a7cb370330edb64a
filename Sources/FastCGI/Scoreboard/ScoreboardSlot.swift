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
        for thread in 0..<WorkerOptions.mostThreads { endRunning(on: thread) }
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

    /// Sets the source that a thread works for, and the start of its request by the monotonic clock.
    func set(running key: UInt64, since start: Duration, on thread: Int) {
        let word = word(ofThread: thread)
        board.memory.storeInOrder(start.wholeMilliseconds, at: word + 1)
        board.memory.storeInOrder(key, at: word)
    }

    func endRunning(on thread: Int) { board.memory.storeInOrder(0, at: word(ofThread: thread)) }

    /// The source that a thread works for, and the start of its request.
    func running(on thread: Int) -> (key: UInt64, start: Duration) {
        let word = word(ofThread: thread)
        return (board.memory.loadInOrder(word), .milliseconds(board.memory.loadInOrder(word + 1)))
    }

    /// The number of this slot's threads that work for a source.
    ///
    /// - Parameter latest: counts only requests that began then or before.
    func threadsRunning(_ key: UInt64, since latest: Duration? = nil) -> Int {
        let threads = min(Int(clamping: word(.threads)), WorkerOptions.mostThreads)
        return (0..<threads).count {
            let running = running(on: $0)
            return running.key == key && latest.map { running.start <= $0 } ?? true
        }
    }

    private func word(ofThread thread: Int) -> Int {
        precondition((0..<WorkerOptions.mostThreads).contains(thread))
        return firstThread + thread * 2
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

extension Duration {
    /// As a word of the scoreboard; 0 for a negative one.
    var wholeMilliseconds: UInt64 { UInt64(max(0, self / .milliseconds(1))) }
}
