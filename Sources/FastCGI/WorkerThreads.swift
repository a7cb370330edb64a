internal import CFastCGI
internal import Glibc
internal import Synchronization

/// The threads of a worker and what they share.
final class WorkerThreads: Sendable {
    enum Phase: Int, AtomicRepresentable {
        case working
        /// Finish the request in hand, give connections to other workers, end.
        case leaving
        /// Answer what has arrived, close connections, end.
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
    /// Readable once the last thread has ended.
    let gone = eventfd(0, Int32(EFD_CLOEXEC))

    private let adoption: ConnectionHandover?
    private let wake = eventfd(0, Int32(EFD_CLOEXEC))
    private let currentPhase = Atomic(Phase.working)
    private let living: Atomic<Int>
    private let unready: Atomic<Int>
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
        adoption = membership?.adoption
        connections = Connections(poller: poller, slot: slot)
        saturation = Saturation(threads: options.threads)
        slowLane = SlowLane(mostRequests: options.slowRequests, mostBytes: options.slowBytes)
        // The slow thread too.
        living = Atomic(options.threads + 1)
        unready = Atomic(options.threads + 1)
        recycleAt = options.recycleAfter + Int.random(in: 0...max(0, options.recycleAfter / 8))
    }

    var phase: Phase { currentPhase.load(ordering: .acquiring) }
    var isGone: Bool { living.load(ordering: .acquiring) == 0 }

    func start() {
        slot?.set(threads: options.threads)
        poller.watchForAll(wake, as: .wake)
        poller.watchShared(listener, as: .listener)
        if let adoption { poller.watchShared(adoption.taking, as: .adoption) }
        for _ in 0..<options.threads { WorkerThread.start(in: self) }
        SlowThread.start(in: self)
    }

    /// Ends the threads and leaves their connections to other workers.
    func leave() {
        currentPhase.store(.leaving, ordering: .releasing)
        poller.forget(listener)
        if let adoption { poller.forget(adoption.taking) }
        eventfd_write(wake, 1)
        for connection in connections.takeAll() { giveAway(connection) }
        passOnUnseen()
    }

    /// Of all threads of all workers the kernel wakes one for what comes in at a socket that they share. Where that was one of
    /// ours, and the socket was forgotten before the thread looked, nobody else is told of it. Given on, it wakes another.
    private func passOnUnseen() {
        guard adoption != nil else { return }
        for _ in 0..<Self.mostUnseen {
            guard let connection = accept() else { break }
            take(connection)
        }
        // One is enough: whoever comes for it finds the others.
        take(adopt())
    }

    /// More than come in at that moment, and fewer than the pair of sockets holds while nobody takes: under a flood others are awake.
    private static let mostUnseen = 64

    /// Ends the threads after they have answered what is there.
    func stop() {
        currentPhase.store(.stopping, ordering: .releasing)
        eventfd_write(wake, 1)
    }

    /// Gives connections on which a request waits to workers that have a thread free, or will have first.
    /// Called when no thread of this one has moved for a while.
    func passOnReady() {
        guard adoption != nil else { return }
        for source in poller.wait(most: 64, isPatient: false) {
            // The listener and the adoption pair are shared; whoever is free sees to them.
            if case .connection(let connection) = source, connections.claim(connection) { giveAway(connection) }
        }
    }

    // MARK: - Told by the threads

    func threadIsBusy() {
        slot?.threadIsBusy()
        saturation.threadIsBusy()
    }

    func threadIsIdle() {
        saturation.threadIsIdle()
        slot?.threadIsIdle()
    }

    func threadIsReady() {
        if unready.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { slot?.becomeReady() }
    }

    func threadIsGone() {
        switch living.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue {
        case 0: eventfd_write(gone, 1)
        // That is the slow thread, which ends once what waits for it is answered: nobody is left to bring it more.
        case 1: slowLane.close()
        default: break
        }
    }

    /// Hands a request and its connection over to the slow thread. False when too many wait for it already.
    func leaveToSlowThread(_ received: ReceivedRequest) -> Bool {
        // Counted first, or the slow thread could be done with it before.
        slot?.requestWaits()
        if slowLane.add(received) { return true }
        slot?.requestHasWaited()
        return false
    }

    /// Answers a request, and lets its connection wait for the next one.
    func answer(_ received: ReceivedRequest, with handler: any RequestHandler) {
        let (request, reply) = (received.request, received.reply)
        let response = received.refusal.map { handler.refuse($0, request) } ?? handler.respond(to: request)
        let isWhole = reply.write(ResponseText(response, to: request.method))
        requestServed()
        if isWhole, reply.mayKeep, phase != .stopping { keep(reply.connection) } else { end(reply.connection) }
    }

    /// Closes a connection that is being served.
    func end(_ connection: Int32) {
        close(connection)
        connections.isGone()
    }

    /// Counts a request, and asks for a replacement when it was the last this worker should serve. Without a supervisor
    /// to replace it, the worker ends itself, and whoever started it starts another.
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

    /// Takes a waiting connection, from the listener or from a worker that leaves; another thread may have been faster.
    func take(_ connection: Int32?) {
        guard let connection else { return }
        setTimeouts(of: connection)
        if !connections.park(connection, .new) { giveAway(connection) }
    }

    /// Lets a connection wait for its next request.
    private func keep(_ connection: Int32) {
        if !connections.park(connection, .known) { giveAway(connection) }
    }

    /// The next connection at the listener, or nil.
    func accept() -> Int32? {
        let connection = fastcgi_accept(listener)
        if connection >= 0 { return connection }
        // Out of descriptors or memory, the listener stays readable; a pause keeps this from spinning until some are free.
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS { usleep(20_000) }
        return nil
    }

    func adopt() -> Int32? { adoption?.take() }

    private func giveAway(_ connection: Int32) {
        // Closing ends an epoll registration only with the last descriptor of the connection, and another process will
        // have one; the leftover would be in the way when the connection comes back under the same number.
        poller.forget(connection)
        if let adoption { adoption.give(connection) } else { close(connection) }
        connections.isGone()
    }

    /// A peer that stands still frees the thread.
    private func setTimeouts(of connection: Int32) {
        var time = timeval(tv_sec: options.ioTimeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }
}
