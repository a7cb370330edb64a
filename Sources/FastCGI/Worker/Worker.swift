internal import CFastCGI
internal import Glibc
internal import Processes

/// One worker process: answers FastCGI requests from the listening socket on descriptor 0.
///
/// Its main thread only waits for signals. `threads` other threads share one epoll set with the listener and all idle
/// connections, so a connection that the web server keeps open occupies no thread, and there are as many handlers as
/// threads. One more thread answers slow requests, see `Lane`.
///
/// On SIGTERM the worker accepts nothing new, finishes the requests in flight and hands idle connections to the other
/// workers of the pool, so that the web server does not notice. On SIGINT, or on SIGTERM without a pool, no worker is
/// left to take them: the worker answers the requests that have arrived and closes the connections.
public final class Worker {
    /// Whether descriptor 0 is a listening socket. If not, the process was started as a plain CGI program.
    public static var isOnSocket: Bool {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(STDIN_FILENO, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
    }

    private let options: WorkerOptions
    private let membership: PoolMembership?
    private let makeHandler: @Sendable () -> any RequestHandler

    /// `makeHandler` is called once on each thread.
    public init(
        options: WorkerOptions, membership: PoolMembership?, makeHandler: @escaping @Sendable () -> any RequestHandler
    ) {
        self.options = options
        self.membership = membership
        self.makeHandler = makeHandler
    }

    /// Works until a signal ends it. Returns the exit status: 0, or 1 when requests were aborted at the drain deadline.
    ///
    /// The main thread must call it before it starts other threads, because it blocks signals for all of them: a signal
    /// must not interrupt a handler's blocking call.
    public func run() -> Int32 {
        let signals = SignalQueue([SIGTERM, SIGINT, SIGHUP, SIGUSR1])
        if let membership, !membership.endWithSupervisor() { return 0 }
        prepareLibrary()
        _ = fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK)
        let threads = WorkerThreads(
            options: options, listener: STDIN_FILENO, membership: membership, makeHandler: makeHandler)
        threads.start()
        stop(threads, on: waitForEnd(signals, threads))
        return drain(threads, signals) ? 0 : 1
    }

    /// libfcgi installs its own handlers for SIGPIPE, SIGUSR1 and SIGTERM where they have the default action. The
    /// latter two are blocked. SIGPIPE is ignored, so that writing to a closed connection returns an error instead of
    /// raising a signal.
    private func prepareLibrary() {
        FCGX_Init()
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the signal that ends the worker and returns it. Until then the main thread checks for saturation and
    /// for held requests, see `Saturation` and `SourceLimits`.
    private func waitForEnd(_ signals: SignalQueue, _ threads: WorkerThreads) -> Int32 {
        var last = Saturation.State.free
        var lastCheck = MonotonicClock.now
        while true {
            let time: Duration? =
                !threads.limits.isIdle ? SourceLimits.tick : last == .free ? nil : Saturation.tick
            let signal = signals.next(orReadable: threads.saturation.alarm, within: time)
            threads.limits.wakeThread()
            // SIGHUP is meant for the supervisor. SIGUSR1 has no meaning.
            if let signal, signal == SIGTERM || signal == SIGINT { return signal }
            threads.saturation.readAlarm()
            guard last == .free || MonotonicClock.now - lastCheck >= Saturation.tick else { continue }
            lastCheck = MonotonicClock.now
            let now = threads.saturation.check()
            if now == last, now != .free { threads.handOverReady() }
            last = now
        }
    }

    private func stop(_ threads: WorkerThreads, on signal: Int32) {
        membership?.slot.set(state: .draining)
        let otherWorkersExist = signal == SIGTERM && membership?.hasSupervisor == true
        if otherWorkersExist { threads.drain() } else { threads.stop() }
    }

    /// Returns true when every thread finished in time.
    private func drain(_ threads: WorkerThreads, _ signals: SignalQueue) -> Bool {
        let deadline = MonotonicClock.now + .seconds(options.drainSeconds)
        while !threads.haveEnded {
            let left = deadline - MonotonicClock.now
            if left <= .zero { return false }
            // The pool may stop while this worker drains.
            if signals.next(orReadable: threads.ended, within: left) == SIGINT { threads.stop() }
        }
        return true
    }
}
