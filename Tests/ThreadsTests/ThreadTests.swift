import Glibc
import Synchronization
import Testing
import Threads

@Suite("Threads / threads")
struct ThreadTests {
    @Test("a thread accepts no signals, whatever mask its starter has")
    func blocked() throws {
        #expect(try blockedSignals(startedWith: .blocked, under: []) == [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
    }

    @Test("a thread that inherits its signals has its starter's mask")
    func inherited() throws {
        #expect(try blockedSignals(startedWith: .inherited, under: [SIGHUP]) == [SIGHUP])
    }

    @Test("the starter's mask is unchanged after the start")
    func starter() throws {
        let found = Found()
        // On a thread of its own, which no other test uses.
        let starter = try #require(
            Thread(signals: .inherited) {
                let before = Self.blockedSignals()
                Thread.start {}
                let after = Self.blockedSignals()
                found.signals.withLock { $0 = before == after ? [] : after }
            })
        starter.join()
        #expect(found.signals.withLock { $0 } == [])
    }

    @Test("a detached thread runs its closure")
    func detached() {
        let hasRun = CountingSemaphore(0)
        Thread.start { hasRun.release() }
        hasRun.acquire()
    }

    @Test("join returns after the closure has ended")
    func join() throws {
        let ended = Mutex(false)
        let shared = Shared(ended)
        let thread = try #require(
            Thread {
                usleep(2_000); shared.ended.withLock { $0 = true }
            })
        thread.join()
        #expect(shared.ended.withLock { $0 })
    }

    private final class Shared: Sendable {
        let ended: Mutex<Bool>
        init(_ ended: consuming Mutex<Bool>) { self.ended = ended }
    }

    /// Which of four signals a new thread blocks when this thread blocks exactly those in `mask`.
    private func blockedSignals(startedWith signals: Thread.Signals, under mask: [Int32]) throws -> [Int32] {
        var (given, previous) = (sigset_t(), sigset_t())
        sigemptyset(&given)
        for signal in mask { sigaddset(&given, signal) }
        pthread_sigmask(SIG_SETMASK, &given, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let found = Found()
        let thread = try #require(
            Thread(signals: signals) {
                let blocked = Self.blockedSignals()
                found.signals.withLock { $0 = blocked }
            })
        thread.join()
        return found.signals.withLock { $0 }
    }

    /// Which of the four signals the calling thread blocks.
    private static func blockedSignals() -> [Int32] {
        var own = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &own)
        return [SIGTERM, SIGINT, SIGHUP, SIGUSR1].filter { sigismember(&own, $0) == 1 }
    }

    private final class Found: Sendable {
        let signals = Mutex<[Int32]>([])
    }
}
