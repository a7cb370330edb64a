internal import Glibc

/// The workers of a supervisor: who is there, who comes, who goes. Single-threaded; `tend` is called over and over.
final class Pool {
    /// One place in the pool.
    private struct WorkerSlot {
        var current: WorkerProcess?
        /// Started to replace the current one, not ready yet.
        var successor: WorkerProcess?
        /// Early deaths in a row, and when the next start may be.
        var failures = 0
        var startAt: Duration = .zero
    }

    private let options: SupervisorOptions
    private let recipe: WorkerProcess.Recipe
    private let board: Scoreboard
    private let report: (SupervisorEvent) -> Void
    private var seats: [WorkerSlot]
    /// Told to go, or going on their own.
    private var leaving: [WorkerProcess] = []
    /// Workers a reload has still to replace, by pid.
    private var outdated: [Int32] = []

    init(
        options: SupervisorOptions, _ estate: HandoverState, board: Scoreboard,
        report: @escaping (SupervisorEvent) -> Void
    ) {
        self.options = options
        self.board = board
        self.report = report
        recipe = WorkerProcess.Recipe(options, listener: estate.listener, adoption: estate.adoption, scoreboard: board)
        seats = Array(repeating: WorkerSlot(), count: min(max(options.workers, 1), SupervisorOptions.mostWorkers))
    }

    /// How long nothing needs to be done unless a signal comes: short while somebody comes or goes, else as often as
    /// it is worth to see whether a worker asks to be replaced.
    var patience: Duration {
        let isMoving = !leaving.isEmpty || !outdated.isEmpty
            || seats.contains { $0.successor != nil || $0.current?.wasReportedReady != true }
        return .milliseconds(isMoving ? 20 : 250)
    }

    var isEmpty: Bool { leaving.isEmpty && seats.allSatisfy { $0.current == nil && $0.successor == nil } }

    /// Whether every seat has a worker that works.
    var isReady: Bool { seats.allSatisfy { $0.current?.slot.state == .ready || $0.current?.slot.state == .recycling } }

    /// Whether some seat's workers keep dying at their start.
    var isFailing: Bool { seats.contains { $0.failures > 1 } }

    func tend() {
        reap()
        for index in seats.indices {
            letGoWhoLeaves(index)
            fill(index)
            noteReady(index)
            completeReplacement(index)
        }
        beginReplacement()
        killLate()
    }

    /// Begins to replace every worker there is now.
    func reload() {
        report(.reloading)
        outdated = seats.compactMap { $0.current?.pid }
    }

    func tellAll(_ signal: Int32) { for worker in everybody { worker.send(signal) } }

    func killAll() {
        for worker in everybody {
            report(.workerKilled(pid: worker.pid))
            worker.send(SIGKILL)
        }
        while !isEmpty {
            usleep(5_000)
            reap()
        }
    }

    // MARK: - Deaths

    func reap() {
        for index in seats.indices {
            if let worker = seats[index].current, let death = ended(worker) {
                // A successor that is on its way takes the seat, ready or not.
                seats[index].current = seats[index].successor
                seats[index].successor = nil
                count(death, index)
            }
            if let worker = seats[index].successor, let death = ended(worker) {
                seats[index].successor = nil
                count(death, index)
                giveUpReplacement(index)
            }
        }
        leaving.removeAll { ended($0) != nil }
    }

    private struct Death {
        /// It had begun to leave, because it was told to, so its end says nothing about how it is.
        var wasLeaving = false
        var lived = Duration.zero
    }

    /// How a worker died, once it is dead.
    private func ended(_ worker: WorkerProcess) -> Death? {
        guard let exit = worker.exit() else { return nil }
        let death = Death(wasLeaving: worker.slot.state == .draining, lived: Clock.now - worker.startedAt)
        worker.slot.set(state: .dead)
        report(.workerExited(pid: worker.pid, exit, lived: death.lived))
        return death
    }

    private func count(_ death: Death, _ index: Int) {
        if death.wasLeaving { return }
        seats[index].failures = options.restart.failures(before: seats[index].failures, lived: death.lived)
        let pause = options.restart.pause(after: seats[index].failures)
        seats[index].startAt = Clock.now + pause
        if pause > .zero, seats[index].current == nil { report(.startDelayed(seat: index, by: pause)) }
    }

    /// A worker that was told to go by someone else frees its seat at once.
    private func letGoWhoLeaves(_ index: Int) {
        guard var worker = seats[index].current, worker.slot.state == .draining else { return }
        worker.killAt = Clock.now + .seconds(options.drainSeconds)
        leaving.append(worker)
        seats[index].current = seats[index].successor
        seats[index].successor = nil
    }

    private func killLate() {
        let now = Clock.now
        for index in leaving.indices {
            guard let killAt = leaving[index].killAt, now >= killAt else { continue }
            report(.workerKilled(pid: leaving[index].pid))
            leaving[index].send(SIGKILL)
            // Once is enough; it is reaped when the kernel is done with it.
            leaving[index].killAt = nil
        }
    }

    // MARK: - Starts

    private func fill(_ index: Int) {
        guard seats[index].current == nil, Clock.now >= seats[index].startAt else { return }
        seats[index].current = start(index)
    }

    private func start(_ index: Int) -> WorkerProcess? {
        var reason = EAGAIN
        if let slot = board.claim() {
            do throws(WorkerProcess.NotStarted) {
                let worker = try WorkerProcess.start(recipe, in: slot)
                report(.workerStarted(seat: index, pid: worker.pid))
                return worker
            } catch {
                slot.set(state: .dead)
                reason = error.errno
            }
        }
        report(.workerNotStarted(seat: index, errno: reason))
        count(Death(), index)
        return nil
    }

    private func noteReady(_ index: Int) {
        guard let worker = seats[index].current, !worker.wasReportedReady, worker.slot.state != .starting else { return }
        report(.workerReady(seat: index, pid: worker.pid))
        seats[index].current?.wasReportedReady = true
    }

    // MARK: - Replacements, one at a time

    private func beginReplacement() {
        outdated.removeAll { pid in !seats.contains { $0.current?.pid == pid } }
        guard !seats.contains(where: { $0.successor != nil }), let index = nextToReplace() else { return }
        seats[index].successor = start(index)
        if seats[index].successor == nil { giveUpReplacement(index) }
    }

    private func nextToReplace() -> Int? {
        if let pid = outdated.first { return seats.firstIndex { $0.current?.pid == pid } }
        let now = Clock.now
        return seats.firstIndex { $0.current?.slot.state == .recycling && now >= $0.startAt }
    }

    private func completeReplacement(_ index: Int) {
        guard let new = seats[index].successor else { return }
        if new.slot.state == .starting {
            if new.killAt == nil, Clock.now - new.startedAt > .seconds(options.readySeconds) {
                report(.workerKilled(pid: new.pid))
                new.send(SIGKILL)
                seats[index].successor?.killAt = Clock.now
            }
            return
        }
        if var old = seats[index].current {
            old.killAt = Clock.now + .seconds(options.drainSeconds)
            old.send(SIGTERM)
            leaving.append(old)
            report(.workerReplaced(seat: index, old: old.pid, new: new.pid))
        }
        seats[index].current = new
        seats[index].successor = nil
        noteReady(index)
    }

    /// What made one fail makes the others fail too, so the workers that are there stay.
    private func giveUpReplacement(_ index: Int) {
        outdated = []
        report(.replacementFailed(seat: index))
    }

    private var everybody: [WorkerProcess] {
        leaving + seats.compactMap(\.current) + seats.compactMap(\.successor)
    }
}
