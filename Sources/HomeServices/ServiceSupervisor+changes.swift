import Glibc
import Processes

extension ServiceSupervisor {
    /// Reads the table again and restarts the changed services. If one does not start, for example a migration, those
    /// after it keep running unchanged.
    func applyChanges() throws(StopRequested) {
        guard let new = readTable() else { return }
        home.setState("starting")
        for service in ServiceChange.removed(from: table.services, to: new.services) {
            try stop(service, since: MonotonicClock.now)
            states[service.name] = nil
        }
        table = new
        let changes = ServiceChange.all(in: table.services, hasChanged: hasChanged, isRunning: isRunning)
        for change in changes {
            guard try apply(change) else { return }
        }
        setReady(changes.map(\.service))
    }

    /// Returns nil, after it has set the state, if the table cannot be used. The services then run on unchanged.
    private func readTable() -> ServiceTable? {
        do throws(TableError) { return try home.readTable() } catch {
            home.setFailed(error)
            log("the table of services cannot be used: \(error)")
            return nil
        }
    }

    private func hasChanged(_ service: Service) -> Bool {
        states[service.name]?.fingerprint != Fingerprint(of: service, in: home)
    }

    private func isRunning(_ service: Service) -> Bool { states[service.name]?.running?.isAlive == true }

    /// Returns false, after it has set the state, if the service did not start.
    private func apply(_ change: ServiceChange) throws(StopRequested) -> Bool {
        let service = change.service
        switch change.action {
        case .reload: try reload(service)
        case .replace:
            if try replace(service) { break }
            home.setState(
                "failed the new \(service.name) did not start, so the old one continues unchanged; "
                    + "see \(home.logFile(of: service.name))")
            return false
        case .restart:
            try stop(service, since: MonotonicClock.now)
            if try start(service) { break }
            setFailed(service)
            return false
        }
        return true
    }

    /// Has nginx load its new configuration, which drops no request, even on a new port. Waits until the old port no
    /// longer answers.
    private func reload(_ service: Service) throws(StopRequested) {
        guard let running = states[service.name]?.running else { return }
        let workers = NginxWorkers(of: running.process.pid)
        states[service.name]?.fingerprint = Fingerprint(of: service, in: home)
        running.process.send(SIGHUP)
        let deadline = MonotonicClock.now + .seconds(3)
        while workers.areListening, MonotonicClock.now < deadline { try wait(.milliseconds(50)) }
        log("\(service.name) reloaded")
    }

    /// Starts the replacement of a running service, which takes over its sockets and stops the old process. If the
    /// replacement ends first, the old process stays in service, and this returns false.
    private func replace(_ service: Service) throws(StopRequested) -> Bool {
        guard let before = states[service.name], let old = before.running else { return try start(service) }
        replaced = (service, old)
        let new = launch(service)
        // Both processes have time limits of their own that end long before this one.
        var deadline = MonotonicClock.now + .seconds(60 + service.secondsToStop)
        while old.isAlive {
            guard new?.isAlive == true else {
                log("the new \(service.name) exited; the old one continues")
                states[service.name] = before
                replaced = nil
                return false
            }
            if MonotonicClock.now > deadline {
                log("the old \(service.name) did not exit and is killed")
                old.process.send(SIGKILL)
                deadline += .seconds(60)
            }
            try wait(.milliseconds(50))
        }
        replaced = nil
        log("\(service.name) replaced")
        return true
    }
}
