import Processes

extension ServiceSupervisor {
    /// Starts services that have ended, after a growing delay if one keeps ending.
    func restartEnded() throws(StopRequested) {
        for service in table.services {
            if let running = states[service.name]?.running, !running.isAlive { try noteEnd(of: service, running) }
            if let startAt = states[service.name]?.startAt, startAt <= MonotonicClock.now { launch(service) }
        }
    }

    private func noteEnd(of service: Service, _ running: RunningService) throws(StopRequested) {
        guard var state = states[service.name], let exit = running.exit else { return }
        state.running = nil
        let delay = postpone(&state, lived: MonotonicClock.now - running.startedAt)
        states[service.name] = state
        let seconds = delay.components.seconds
        log("\(service.name) exited with status \(exit.shellStatus); starting it again in \(seconds) s")
        // Its children may still hold its socket.
        try stopProcesses(of: service, with: .terminate, within: .seconds(2))
    }

    /// Counts one more end and sets the time of the next start. Returns the delay.
    @discardableResult
    func postpone(_ state: inout ServiceState, lived: Duration) -> Duration {
        // Even after a steady run a start may fail, so the end itself counts as the first failure.
        state.failures = max(1, restartPolicy.failures(before: state.failures, lived: lived))
        let delay = restartPolicy.pause(after: state.failures)
        state.startAt = MonotonicClock.now + delay
        return delay
    }
}
