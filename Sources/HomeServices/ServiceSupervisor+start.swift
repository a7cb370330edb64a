import Glibc
import Processes

extension ServiceSupervisor {
    /// Starts all services in order. Returns the one that did not start, if any; those after it are not started.
    func startAll() throws(StopRequested) -> Service? {
        for service in table.services {
            guard try start(service) else { return service }
        }
        return nil
    }

    /// Starts a service. Waits until a program of kind `once` has ended, and until the service can be used. Returns
    /// whether that succeeded.
    func start(_ service: Service) throws(StopRequested) -> Bool {
        guard let running = launch(service) else { return false }
        if service.kind == .once { return try complete(service, running) }
        while try !isReady(service) {
            guard running.isAlive else {
                log("\(service.name) did not start")
                return false
            }
            try wait(.milliseconds(100))
        }
        log("\(service.name) started")
        return true
    }

    private func complete(_ service: Service, _ running: RunningService) throws(StopRequested) -> Bool {
        while running.isAlive { try wait(.seconds(60)) }
        states[service.name]?.running = nil
        guard let exit = running.exit, exit != .status(0) else {
            log("\(service.name) finished")
            return true
        }
        states[service.name]?.fingerprint = nil
        log("\(service.name) exited with status \(exit.shellStatus)")
        return false
    }

    /// Starts a service in the background. Returns nil if that is impossible. It is then tried again later, unless it
    /// is of kind `once`.
    @discardableResult
    func launch(_ service: Service) -> RunningService? {
        var state = states[service.name] ?? ServiceState()
        defer { states[service.name] = state }
        let fingerprint = Fingerprint(of: service, in: home)
        state.startAt = nil
        do {
            let environment = try environment(of: service)
            let process = try ChildProcess(.init(service, in: home, environment: environment))
            state.running = RunningService(process: process, fingerprint: fingerprint)
            state.fingerprint = fingerprint
        } catch {
            log("\(service.name) could not be started: \(Self.reason(error))")
            state.running = nil
            if service.kind != .once { postpone(&state, lived: .zero) }
        }
        return state.running
    }

    private func environment(of service: Service) throws -> [String] {
        let file = home.environmentFile(of: service.name)
        guard let text = TextFile.read(file) else { throw TableError(line: 1, reason: "cannot read \(file)") }
        return try ServiceEnvironment.parse(text)
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as ChildProcess.NotStarted: String(cString: strerror(error.errno))
        default: "its environment, \(error)"
        }
    }

    /// Whether the check of the service succeeds. A service without a check can be used at once.
    private func isReady(_ service: Service) throws(StopRequested) -> Bool {
        if service.readyCheck.isEmpty { return true }
        guard let check = try? ChildProcess(.init(checkOf: service, in: home)) else { return false }
        var exit = check.exit()
        do throws(StopRequested) {
            while exit == nil {
                try wait(.seconds(1))
                exit = check.exit()
            }
        } catch {
            check.send(SIGKILL)
            check.waitForExit()
            throw error
        }
        return exit == .status(0)
    }
}
