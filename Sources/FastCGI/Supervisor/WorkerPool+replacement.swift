internal import Glibc
internal import Processes

// Replacements of workers after a reload or at their own request, one at a time.
extension WorkerPool {
    func beginReplacement() {
        outdated.removeAll { pid in !slots.contains { $0.current?.pid == pid } }
        guard !slots.contains(where: { $0.replacement != nil }), let index = nextToReplace() else { return }
        slots[index].replacement = start(index)
        if slots[index].replacement == nil { abandonReplacement(index) }
    }

    private func nextToReplace() -> Int? {
        if let pid = outdated.first { return slots.firstIndex { $0.current?.pid == pid } }
        let now = MonotonicClock.now
        return slots.firstIndex { $0.current?.slot.state == .recycling && now >= $0.startAt }
    }

    func completeReplacement(_ index: Int) {
        guard let new = slots[index].replacement else { return }
        if new.slot.state == .starting {
            if new.killAt == nil, MonotonicClock.now - new.startedAt > .seconds(options.readySeconds) {
                report(.workerKilled(pid: new.pid))
                new.send(SIGKILL)
                slots[index].replacement?.killAt = MonotonicClock.now
            }
            return
        }
        if var old = slots[index].current {
            old.killAt = MonotonicClock.now + .seconds(options.drainSeconds)
            old.send(SIGTERM)
            draining.append(old)
            report(.workerReplaced(slot: index, old: old.pid, new: new.pid))
        }
        slots[index].current = new
        slots[index].replacement = nil
        reportReady(index)
    }

    /// Ends a reload after a failed replacement. The other replacements would fail for the same reason, so the current
    /// workers stay.
    func abandonReplacement(_ index: Int) {
        outdated = []
        report(.replacementFailed(slot: index))
    }
}
