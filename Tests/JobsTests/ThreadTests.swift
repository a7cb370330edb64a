import Glibc
import Jobs
import Synchronization
import Testing

@Suite("Jobs / threads")
struct ThreadTests {
    @Test("a thread takes no signal, whatever the one that started it has blocked")
    func signals() {
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &usual)
        defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
        let shared = Shared()
        Thread.start {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let blocked = [SIGTERM, SIGINT, SIGHUP, SIGUSR1].map { sigismember(&mask, $0) == 1 }
            shared.blocked.withLock { $0 = blocked }
            shared.wakeUp.all()
        }
        while shared.blocked.withLock({ $0 == nil }) {
            shared.wakeUp.wait(milliseconds: 1_000) { shared.blocked.withLock { $0 != nil } }
        }
        #expect(shared.blocked.withLock { $0 } == [true, true, true, true])
        var own = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &own)
        #expect(sigismember(&own, SIGTERM) == 0)
    }

    private final class Shared: Sendable {
        let blocked = Mutex<[Bool]?>(nil)
        let wakeUp = WakeUp()
    }
}
