internal import CFastCGI
internal import Glibc
internal import Synchronization

/// The threads of a worker and the state they share.
final class WorkerThreads: Sendable {
    enum Phase: Int, AtomicRepresentable {
        case working
        /// Finish the current request, hand connections to other workers, end.
        case draining
        /// Answer the requests that have arrived, close connections, end.
        case stopping
    }

    let options: WorkerOptions
    let listener: Int32
    let poller = Poller()
    let connections: Connections
    let slot: ScoreboardSlot?
    let makeHandler: @Sendable () -> any RequestHandler
    let saturation: Saturation
    let slowLane: SlowLane
    let limits: SourceLimits
    /// Readable once the last thread has ended.
    let ended = eventfd(0, Int32(EFD_CLOEXEC))

    private let connectionHandover: ConnectionHandover?
    private let wake = eventfd(0, Int32(EFD_CLOEXEC))
    private let currentPhase = Atomic(Phase.working)
    private let running: Atomic<Int>
    private let notReady: Atomic<Int>
    private let served = Atomic(0)
    private let recycleAt: Int

    init(
        options: WorkerOptions, listener: Int32, membership: PoolMembership?,
        makeHandler: @escaping @Sendable () -> any RequestHandler
    ) {
        self.options = options
        self.listener = listener
        self.makeHandler = makeHandler
        slot = membership?.slot
        connectionHandover = membership?.connectionHandover
        connections = Connections(poller: poller, slot: slot)
        saturation = Saturation(threads: options.threads)
        slowLane = SlowLane(maxRequests: options.slowRequests, maxBytes: options.slowBytes)
        limits = SourceLimits(options: options, membership: membership, alarm: saturation.alarm)
        // Includes the slow thread.
        running = Atomic(options.threads + 1)
        notReady = Atomic(options.threads + 1)
        recycleAt = options.recycleAfter + Int.random(in: 0...max(0, options.recycleAfter / 8))
    }

    var phase: Phase { currentPhase.load(ordering: .acquiring) }
    var haveEnded: Bool { running.load(ordering: .acquiring) == 0 }

    func start() {
        slot?.set(threads: options.threads)
        poller.watchForAll(wake, as: .wake)
        poller.watchForAll(limits.turn, as: .held)
        poller.watchShared(listener, as: .listener)
        if let connectionHandover { poller.watchShared(connectionHandover.receiving, as: .handover) }
        for number in 0..<options.threads { WorkerThread.start(number, in: self) }
        SlowThread.start(in: self)
    }

    /// Ends the threads and hands their connections to other workers.
    func drain() {
        endWaits()
        currentPhase.store(.draining, ordering: .releasing)
        poller.remove(listener)
        if let connectionHandover { poller.remove(connectionHandover.receiving) }
        eventfd_write(wake, 1)
        for connection in connections.takeAll() { handOver(connection) }
        handOverUnseen()
    }

    /// Hands over connections whose wake-up was lost. The kernel wakes one thread of all workers for a connection on a
    /// shared socket. If it woke a thread of this worker, which has removed the socket since, no other thread is woken
    /// for that connection. Handing it over wakes another worker.
    private func handOverUnseen() {
        guard connectionHandover != nil else { return }
        for _ in 0..<Self.maxUnseen {
            guard let connection = accept() else { break }
            take(connection)
        }
        // One is enough: the worker that it wakes finds the others.
        take(receiveHandedOver())
    }

    /// More than arrive at that moment, and fewer than the socket pair holds while no worker receives. Under heavy load
    /// other workers are awake.
    private static let maxUnseen = 64

    /// Ends the threads after they have answered the requests that have arrived.
    func stop() {
        endWaits()
        currentPhase.store(.stopping, ordering: .releasing)
        eventfd_write(wake, 1)
    }

    /// Ends the waits after half of the drain time. The other half is for the requests that begin last.
    private func endWaits() { limits.endWaits(within: Duration.seconds(options.drainSeconds) / 2) }

    /// Hands connections with a waiting request to the workers that first have a free thread. Called when no thread of
    /// this worker has begun another request for a while.
    func handOverReady() {
        guard connectionHandover != nil else { return }
        for source in poller.wait(limit: 64, isBlocking: false) {
            // The listener and the handover sockets are shared, so a worker with a free thread handles them.
            if case .connection(let connection) = source, connections.claim(connection) { handOver(connection) }
        }
    }

    // MARK: - Called by the threads

    func threadIsBusy() {
        slot?.threadIsBusy()
        saturation.threadIsBusy()
    }

    func threadIsIdle() {
        saturation.threadIsIdle()
        slot?.threadIsIdle()
    }

    func threadIsReady() {
        if notReady.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { slot?.becomeReady() }
    }

    func threadHasEnded() {
        switch running.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue {
        case 0: eventfd_write(ended, 1)
        // The remaining thread is the slow one. It ends once its queue is answered, because no thread adds to it any
        // more.
        case 1: slowLane.close()
        default: break
        }
    }

    /// Queues a request with its connection for the slow thread, or returns the reason to reject it.
    func queueForSlowThread(_ received: ReceivedRequest, of source: RequestSource?) -> RequestRejection? {
        // Counted first: the slow thread could otherwise finish it before it was counted.
        slot?.requestQueued()
        guard let rejection = slowLane.add(received, of: source) else { return nil }
        slot?.requestDequeued()
        return rejection
    }

    /// Answers or rejects a held request whose turn has come. Returns false when there is none.
    func answerHeld(with handler: any RequestHandler, on thread: Int) -> Bool {
        guard let next = limits.next(on: thread) else { return false }
        threadIsBusy()
        defer { threadIsIdle() }
        switch next {
        case .answer(let received):
            // A client that has given up and asked again would otherwise use its share twice.
            if received.reply.isAwaited {
                answer(received, with: handler)
            } else {
                closeConnection(received.reply.connection)
            }
            limits.end(on: thread)
        case .reject(let received): reject(received, .tooManyOfSource, with: handler)
        }
        return true
    }

    /// Rejects a request that was read to its end, and parks its connection.
    func reject(_ received: ReceivedRequest, _ rejection: RequestRejection, with handler: any RequestHandler) {
        var rejected = received
        rejected.rejection = rejection
        (rejected.request.body, rejected.request.bodyFile) = ([], nil)
        answer(rejected, with: handler)
    }

    /// Answers a request and parks its connection for the next one.
    func answer(_ received: ReceivedRequest, with handler: any RequestHandler) {
        let (request, reply) = (received.request, received.reply)
        let response = received.rejection.map { handler.refuse($0, request) } ?? handler.respond(to: request)
        let isWhole = reply.write(ResponseText(response, to: request.method))
        requestServed()
        let isKept = isWhole && reply.mayKeep && phase != .stopping
        if isKept { park(reply.connection) } else { closeConnection(reply.connection) }
    }

    /// Closes a connection that is being served.
    func closeConnection(_ connection: Int32) {
        close(connection)
        connections.removed()
    }

    /// Counts a request. After the last request of this worker, asks for a replacement. Without a supervisor to replace
    /// it, the worker ends itself, and the service manager starts another.
    private func requestServed() {
        slot?.requestServed()
        let count = served.wrappingAdd(1, ordering: .relaxed).newValue
        guard options.recycleAfter > 0, count >= recycleAt else { return }
        if let slot {
            slot.askForReplacement()
        } else if count == recycleAt {
            kill(getpid(), SIGTERM)
        }
    }

    /// Parks a connection from the listener or from a draining worker. It is nil when another thread was faster.
    func take(_ connection: Int32?) {
        guard let connection else { return }
        setTimeouts(of: connection)
        if !connections.park(connection, .new) { handOver(connection) }
    }

    /// Parks a connection until its next request.
    private func park(_ connection: Int32) {
        if !connections.park(connection, .known) { handOver(connection) }
    }

    /// Returns the next connection of the listener, or nil.
    func accept() -> Int32? {
        let connection = fastcgi_accept(listener)
        if connection >= 0 { return connection }
        // Without free descriptors or memory the listener stays readable. The pause prevents a busy loop until some are
        // free.
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS { usleep(20_000) }
        return nil
    }

    /// Returns the next connection that a draining worker handed over, or nil.
    func receiveHandedOver() -> Int32? { connectionHandover?.receive() }

    private func handOver(_ connection: Int32) {
        // Closing removes an epoll registration only with the connection's last descriptor, and another process will
        // have one. A remaining registration would conflict when the connection comes back under the same number.
        poller.remove(connection)
        if let connectionHandover { connectionHandover.send(connection) } else { close(connection) }
        connections.removed()
    }

    /// Limits how long a peer that makes no progress can block a thread.
    private func setTimeouts(of connection: Int32) {
        var time = timeval(tv_sec: options.ioTimeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }
}
