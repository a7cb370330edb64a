import Glibc
import Processes
import Testing
import Threads

@Suite("Processes / signal queue")
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

    @Test("a signal that the process ignored before is returned, too")
    func ignored() throws {
        try onThread {
            let before = Glibc.signal(SIGURG, SIG_IGN)
            defer { Glibc.signal(SIGURG, before) }
            let signals = SignalQueue([SIGURG])
            pthread_kill(pthread_self(), SIGURG)
            #expect(signals.next(orReadable: nil, within: .seconds(10)) == SIGURG)
        }
    }

    @Test("the wait ends when the other descriptor becomes readable")
    func readable() throws {
        try onThread {
            let signals = SignalQueue([SIGWINCH])
            var pipes: [Int32] = [-1, -1]
            #expect(pipe(&pipes) == 0 && write(pipes[1], "x", 1) == 1)
            defer { for end in pipes { close(end) } }
            #expect(signals.next(orReadable: pipes[0], within: nil) == nil)
        }
    }
}
