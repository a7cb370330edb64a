import CFastCGI
import Glibc
import Testing
import Threads

@testable import FastCGI

@Suite("FastCGI / signal queue")
struct SignalQueueTests {
    /// Runs `body` on a thread of its own, whose signal mask the queue may change.
    private func onThread(_ body: @escaping @Sendable () -> Void) throws {
        try #require(Thread(signals: .inherited, body)).join()
    }

    @Test("a blocked signal is returned by number")
    func signal() throws {
        try onThread {
            let signals = SignalQueue([SIGWINCH])
            pthread_kill(pthread_self(), SIGWINCH)
            #expect(signals.next(orReadable: nil, within: .seconds(10)) == SIGWINCH)
            #expect(signals.next(orReadable: nil, within: .zero) == nil)
        }
    }

    @Test("the wait ends when the other descriptor becomes readable")
    func readable() throws {
        try onThread {
            let signals = SignalQueue([SIGWINCH])
            let other = eventfd(1, Int32(EFD_CLOEXEC))
            defer { close(other) }
            #expect(signals.next(orReadable: other, within: nil) == nil)
        }
    }
}
