import Synchronization
import Threads

/// The companions of one run, from start to end.
final class BackgroundServices: Sendable {
    private let companions: [BackgroundService]
    private let running: Mutex<Int>
    private let wakeUp = WakeUp()

    init(_ companions: [BackgroundService]) {
        self.companions = companions
        running = Mutex(companions.count)
    }

    func start() {
        for companion in companions {
            Thread.start { [self] in
                companion.run()
                running.withLock { $0 -= 1 }
                wakeUp.all()
            }
        }
    }

    func stop() {
        for companion in companions { companion.stop() }
    }

    /// Waits until all have ended; not for long, since whatever is cut short is taken up again later.
    func waitForEnd() {
        let deadline = ContinuousClock.now + .milliseconds(1_500)
        while running.withLock({ $0 > 0 }), ContinuousClock.now < deadline {
            wakeUp.wait(milliseconds: 100) { running.withLock { $0 == 0 } }
        }
    }
}
