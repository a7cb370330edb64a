import Synchronization
import Testing
import Threads

@Suite("Threads / semaphores")
struct CountingSemaphoreTests {
    @Test("a semaphore gives out its permits and no more")
    func permits() {
        let semaphore = CountingSemaphore(2)
        #expect(semaphore.tryAcquire() && semaphore.tryAcquire())
        #expect(!semaphore.tryAcquire())
        semaphore.release()
        #expect(semaphore.tryAcquire())
    }

    @Test("a waiting thread continues after a release")
    func wait() throws {
        let semaphore = CountingSemaphore(0)
        let thread = try #require(Thread { semaphore.acquire() })
        semaphore.release()
        thread.join()
        #expect(!semaphore.tryAcquire())
    }

    @Test("work that throws returns its permit")
    func thrown() {
        struct Failure: Error {}
        let semaphore = CountingSemaphore(1)
        #expect(throws: Failure.self) { try semaphore.withPermit { throw Failure() } }
        #expect(semaphore.tryAcquire())
    }

    @Test("no more threads work at once than there are permits")
    func limit() {
        let semaphore = CountingSemaphore(2)
        let work = Work()
        let threads = (0..<8).compactMap { _ in Thread { for _ in 0..<50 { semaphore.withPermit { work.runOnce() } } } }
        threads.forEach { $0.join() }
        #expect(work.state.withLock { $0.peak } <= 2)
        #expect(work.state.withLock { $0.now } == 0)
    }

    private final class Work: Sendable {
        let state = Mutex((now: 0, peak: 0))

        func runOnce() {
            state.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1)) }
            state.withLock { $0.now -= 1 }
        }
    }
}
