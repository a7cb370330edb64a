import Synchronization
import Testing
import Threads

@Suite("Threads / wake-ups")
struct WakeUpTests {
    @Test("a wait returns at once when its condition already holds")
    func done() {
        let start = ContinuousClock.now
        WakeUp().wait(milliseconds: 600_000) { true }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("a wait ends when its time has passed")
    func timeout() {
        let start = ContinuousClock.now
        WakeUp().wait(milliseconds: 2) { false }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("an announced change wakes a waiting thread")
    func announced() throws {
        let shared = Shared()
        let thread = try #require(
            Thread {
                while !shared.hasChanged.withLock({ $0 }) {
                    shared.wakeUp.wait(milliseconds: 600_000) { shared.hasChanged.withLock { $0 } }
                }
            })
        shared.hasChanged.withLock { $0 = true }
        shared.wakeUp.all()
        thread.join()
    }

    private final class Shared: Sendable {
        let hasChanged = Mutex(false)
        let wakeUp = WakeUp()
    }
}
