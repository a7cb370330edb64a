internal import CFastCGI
internal import Glibc

/// One worker process: answers FastCGI requests from the listening socket on descriptor 0.
///
/// Its main thread only waits for signals; `threads` others share one epoll set with the listener and all idle connections,
/// so a connection the web server keeps open holds no thread, and there are as many handlers as threads. One thread more
/// answers slow requests, see `Lane`.
///
/// SIGTERM: takes nothing new, finishes the requests in flight and gives idle connections to the other workers of the pool,
/// so that the web server does not notice. SIGINT, or SIGTERM without a pool: nobody is left to give them to, so it answers
/// what has arrived and closes them.
public final class Worker {
    /// True when descriptor 0 is a listening socket; otherwise the process was started as a plain CGI program.
    public static var isOnSocket: Bool {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(STDIN_FILENO, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
    }

    private let options: WorkerOptions
    private let membership: PoolMembership?
    private let makeHandler: @Sendable () -> any RequestHandler

    /// `makeHandler` is called once by each thread, on that thread.
    public init(
        options: WorkerOptions, membership: PoolMembership?, makeHandler: @escaping @Sendable () -> any RequestHandler
    ) {
        self.options = options
        self.membership = membership
        self.makeHandler = makeHandler
    }

    /// Works until told to go. Returns the exit status: 0, or 1 when requests had to be cut at the drain deadline.
    ///
    /// To be called by the main thread before there are others, because it blocks signals for all of them: a signal
    /// must not cut a handler's blocking call short.
    public func run() -> Int32 {
        let signals = SignalQueue([SIGTERM, SIGINT, SIGHUP, SIGUSR1])
        if let membership, !membership.liveWithSupervisor() { return 0 }
        prepareLibrary()
        _ = fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK)
        let crew = WorkerThreads(options: options, listener: STDIN_FILENO, membership: membership, makeHandler: makeHandler)
        crew.start()
        end(crew, because: waitForEnd(signals, crew))
        return drain(crew, signals) ? 0 : 1
    }

    /// libfcgi takes SIGPIPE, SIGUSR1 and SIGTERM for itself where they have their default. The latter two are blocked;
    /// a connection closed by the web server shall be an error of write and no signal.
    private func prepareLibrary() {
        FCGX_Init()
        signal(SIGPIPE, SIG_IGN)
    }

    /// The signal to end by. Until then the main thread has one more duty, see `Saturation`.
    private func waitForEnd(_ signals: SignalQueue, _ crew: WorkerThreads) -> Int32 {
        var last = Saturation.Look.free
        while true {
            let signal = signals.next(
                orReadable: crew.saturation.alarm, within: last == .free ? nil : Saturation.tick)
            // SIGHUP is for the supervisor, SIGUSR1 for nobody.
            if let signal, signal == SIGTERM || signal == SIGINT { return signal }
            let now = crew.saturation.look()
            if now == last, now != .free { crew.passOnReady() }
            last = now
        }
    }

    private func end(_ crew: WorkerThreads, because signal: Int32) {
        membership?.slot.set(state: .draining)
        let isSomebodyLeft = signal == SIGTERM && membership?.hasSupervisor == true
        if isSomebodyLeft { crew.leave() } else { crew.stop() }
    }

    /// True when every thread has finished in time.
    private func drain(_ crew: WorkerThreads, _ signals: SignalQueue) -> Bool {
        let deadline = Clock.now + .seconds(options.drainSeconds)
        while !crew.isGone {
            let left = deadline - Clock.now
            if left <= .zero { return false }
            // The pool may stop while this worker is leaving it.
            if signals.next(orReadable: crew.gone, within: left) == SIGINT { crew.stop() }
        }
        return true
    }
}
