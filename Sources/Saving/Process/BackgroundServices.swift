import Synchronization
import Threads

/// Starts and stops the background services of the jobs process.
final class BackgroundServices: Sendable {
    private let services: [BackgroundService]
    private let running: Mutex<Int>
    private let wakeUp = WakeUp()

    init(_ services: [BackgroundService]) {
        self.services = services
        running = Mutex(services.count)
    }

    func start() {
        for service in services {
            Thread.start { [self] in
                service.run()
                running.withLock { $0 -= 1 }
                wakeUp.all()
            }
        }
    }

    func stop() {
        for service in services { service.stop() }
    }

    /// Waits until all services have ended, but at most 1.5 s: interrupted work is repeated later.
    func waitForEnd() {
        let deadline = ContinuousClock.now + .milliseconds(1_500)
        while running.withLock({ $0 > 0 }), ContinuousClock.now < deadline {
            wakeUp.wait(milliseconds: 100) { running.withLock { $0 == 0 } }
        }
    }
}
