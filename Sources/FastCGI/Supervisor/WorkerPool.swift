internal import Glibc
internal import Processes

/// The workers of a supervisor: starts, replaces and stops them. Used by one thread, which calls `update` repeatedly.
final class WorkerPool {
    /// The place of one worker in the pool.
    struct WorkerSlot {
        var current: WorkerProcess?
        /// Started to replace the current worker, and not ready yet.
        var replacement: WorkerProcess?
        /// Early failures in a row, and the earliest time of the next start.
        var failures = 0
        var startAt: Duration = .zero
    }

    let options: SupervisorOptions
    private let launch: WorkerProcess.LaunchOptions
    private let board: Scoreboard
    let report: (SupervisorEvent) -> Void
    var slots: [WorkerSlot]
    /// Workers that are stopping, by order or on their own.
    var draining: [WorkerProcess] = []
    /// The pids of workers that a reload still has to replace.
    var outdated: [Int32] = []

    init(
        options: SupervisorOptions, _ state: HandoverState, board: Scoreboard,
        report: @escaping (SupervisorEvent) -> Void
    ) {
        self.options = options
        self.board = board
        self.report = report
        launch = WorkerProcess.LaunchOptions(options, state, scoreboard: board)
        slots = Array(repeating: WorkerSlot(), count: min(max(options.workers, 1), SupervisorOptions.mostWorkers))
    }

    /// How long the supervisor may wait for a signal before the next `update`: short while a worker starts or stops,
    /// otherwise often enough to notice a worker that asks to be replaced.
    var waitTime: Duration {
        let isChanging =
            !draining.isEmpty || !outdated.isEmpty
            || slots.contains { $0.replacement != nil || $0.current?.wasReportedReady != true }
        return .milliseconds(isChanging ? 20 : 250)
    }

    var isEmpty: Bool { draining.isEmpty && slots.allSatisfy { $0.current == nil && $0.replacement == nil } }

    /// Whether every slot has a working worker.
    var isReady: Bool {
        slots.allSatisfy { $0.current?.slot.state == .ready || $0.current?.slot.state == .recycling }
    }

    /// Whether the workers of some slot keep dying at their start.
    var isFailing: Bool { slots.contains { $0.failures > 1 } }

    /// Reaps, starts, replaces and kills workers as necessary. Never waits.
    func update() {
        reap()
        for index in slots.indices {
            vacateIfDraining(index)
            fill(index)
            reportReady(index)
            completeReplacement(index)
        }
        beginReplacement()
        killOverdue()
    }

    /// Begins to replace every current worker.
    func reload() {
        report(.reloading)
        outdated = slots.compactMap { $0.current?.pid }
    }

    func signalAll(_ signal: Int32) { for worker in allWorkers { worker.send(signal) } }

    func killAll() {
        for worker in allWorkers {
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
        for index in slots.indices {
            if let worker = slots[index].current, let death = ended(worker) {
                // A replacement that has been started takes the slot, ready or not.
                slots[index].current = slots[index].replacement
                slots[index].replacement = nil
                count(death, index)
            }
            if let worker = slots[index].replacement, let death = ended(worker) {
                slots[index].replacement = nil
                count(death, index)
                abandonReplacement(index)
            }
        }
        draining.removeAll { ended($0) != nil }
    }

    private struct Death {
        /// The worker had been told to stop, so its end is not a failure.
        var wasDraining = false
        var lived = Duration.zero
    }

    /// Returns how a worker ended, or nil while it runs.
    private func ended(_ worker: WorkerProcess) -> Death? {
        guard let exit = worker.exit() else { return nil }
        let death = Death(wasDraining: worker.slot.state == .draining, lived: MonotonicClock.now - worker.startedAt)
        worker.slot.set(state: .dead)
        report(.workerExited(pid: worker.pid, exit, lived: death.lived))
        return death
    }

    private func count(_ death: Death, _ index: Int) {
        if death.wasDraining { return }
        slots[index].failures = options.restart.failures(before: slots[index].failures, lived: death.lived)
        let pause = options.restart.pause(after: slots[index].failures)
        slots[index].startAt = MonotonicClock.now + pause
        if pause > .zero, slots[index].current == nil { report(.startDelayed(slot: index, by: pause)) }
    }

    /// Frees the slot of a worker that another process told to stop.
    private func vacateIfDraining(_ index: Int) {
        guard var worker = slots[index].current, worker.slot.state == .draining else { return }
        worker.killAt = MonotonicClock.now + .seconds(options.drainSeconds)
        draining.append(worker)
        slots[index].current = slots[index].replacement
        slots[index].replacement = nil
    }

    private func killOverdue() {
        let now = MonotonicClock.now
        for index in draining.indices {
            guard let killAt = draining[index].killAt, now >= killAt else { continue }
            report(.workerKilled(pid: draining[index].pid))
            draining[index].send(SIGKILL)
            // Once is enough. The process is reaped when the kernel has ended it.
            draining[index].killAt = nil
        }
    }

    // MARK: - Starts

    private func fill(_ index: Int) {
        guard slots[index].current == nil, MonotonicClock.now >= slots[index].startAt else { return }
        slots[index].current = start(index)
    }

    func start(_ index: Int) -> WorkerProcess? {
        var reason = EAGAIN
        if let slot = board.claim() {
            do throws(ChildProcess.NotStarted) {
                let worker = try WorkerProcess.start(launch, in: slot)
                report(.workerStarted(slot: index, pid: worker.pid))
                return worker
            } catch {
                slot.set(state: .dead)
                reason = error.errno
            }
        }
        report(.workerNotStarted(slot: index, errno: reason))
        count(Death(), index)
        return nil
    }

    func reportReady(_ index: Int) {
        guard let worker = slots[index].current, !worker.wasReportedReady, worker.slot.state != .starting else {
            return
        }
        report(.workerReady(slot: index, pid: worker.pid))
        slots[index].current?.wasReportedReady = true
    }

    private var allWorkers: [WorkerProcess] {
        draining + slots.compactMap(\.current) + slots.compactMap(\.replacement)
    }
}
