import Folders
import Glibc
import Processes

extension ServiceSupervisor {
    /// Stops a service. Forces it if that takes longer than the table allows, counted from `begin`.
    func stop(_ service: Service, since begin: Duration) throws(StopRequested) {
        states[service.name]?.startAt = nil
        guard let running = states[service.name]?.running else { return }
        let deadline = begin + .seconds(service.secondsToStop)
        if running.isAlive { running.process.send(service.stopSignal.number) }
        while running.isAlive {
            if MonotonicClock.now > deadline {
                log("\(service.name) did not stop in time and is killed")
                running.process.send(service.forceSignal.number)
                try pause(.milliseconds(300))
                break
            }
            try wait(.milliseconds(50))
        }
        try stopProcesses(of: service, with: .kill, within: .zero)
        // Only now: if a signal interrupts the stop, the service is still one of those to stop.
        states[service.name]?.running = nil
        log("\(service.name) stopped")
    }

    /// Stops everything in reverse order, by default within ten seconds.
    func stopAll() {
        isStopping = true
        let begin = MonotonicClock.now
        if let replaced, replaced.old.isAlive { replaced.old.process.send(replaced.service.stopSignal.number) }
        // They need not wait for requests in flight, and get the same time to finish their own work.
        for service in table.services where service.stopsEarly {
            if let running = states[service.name]?.running, running.isAlive {
                running.process.send(service.stopSignal.number)
            }
        }
        // No signal interrupts a stop.
        for service in table.services.reversed() { try? stop(service, since: begin) }
        Folder.remove(table.socketFolder)
        unlink(home.identityFile)
    }

    /// Stops the remaining processes of a service, which may be children of a process that has ended. Kills them after
    /// this time.
    func stopProcesses(of service: Service, with signal: Signal, within time: Duration) throws(StopRequested) {
        let processes = ServiceProcesses(of: service, in: home)
        var found = processes.find()
        if found.isEmpty { return }
        send(signal, to: found)
        let deadline = MonotonicClock.now + time
        while MonotonicClock.now < deadline {
            found = processes.find()
            if found.isEmpty { return }
            try wait(.milliseconds(100))
        }
        send(.kill, to: found)
        try pause(.milliseconds(300))
    }

    private func send(_ signal: Signal, to processes: [ListedProcess]) {
        for process in ServiceProcesses.topmost(processes) { kill(process.pid, signal.number) }
    }

    /// Waits this long, whatever ends.
    private func pause(_ time: Duration) throws(StopRequested) {
        let end = MonotonicClock.now + time
        while case let left = end - MonotonicClock.now, left > .zero { try wait(left) }
    }
}
