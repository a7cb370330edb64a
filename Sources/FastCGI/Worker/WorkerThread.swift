internal import Glibc
internal import HTTP
internal import Threads

/// One ordinary thread of a worker, with its own handler and its own receiver.
struct WorkerThread {
    private let threads: WorkerThreads
    private let handler: any RequestHandler
    private let receiver: Receiver

    /// Starts a thread that works until the worker drains or stops.
    static func start(in threads: WorkerThreads) {
        // Inherits the mask of the main thread, see `Worker.run`. A crash handler can thus still stop all threads.
        Thread.start(stackBytes: threads.options.stackBytes, signals: .inherited) {
            run(in: threads)
            threads.threadHasEnded()
        }
    }

    /// A separate function, so that the handler is released, and its database connection closed, before the thread
    /// reports its end.
    private static func run(in threads: WorkerThreads) {
        let thread = WorkerThread(
            threads: threads, handler: threads.makeHandler(), receiver: Receiver(options: threads.options))
        threads.threadIsReady()
        thread.work()
    }

    private func work() {
        while true {
            switch threads.phase {
            case .working:
                for source in threads.poller.wait(limit: 1, isBlocking: true) { handle(source) }
            case .draining:
                return
            case .stopping:
                // Two, because the wake-up is always ready and must not hide another source.
                let ready = threads.poller.wait(limit: 2, isBlocking: false).filter { $0 != .wake }
                if ready.isEmpty { return }
                for source in ready { handle(source) }
            }
        }
    }

    private func handle(_ source: Poller.Source) {
        switch source {
        case .wake: break
        case .listener: threads.take(threads.accept())
        case .handover: threads.take(threads.receiveHandedOver())
        case .connection(let connection): if threads.connections.claim(connection) { serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        threads.threadIsBusy()
        defer { threads.threadIsIdle() }
        guard var received = receiver.receive(from: connection) else {
            threads.connections.removed()
            return
        }
        if received.rejection == nil, handler.lane(of: received.request) == .slow {
            if threads.queueForSlowThread(received) { return }
            received.rejection = .tooManyWaiting
            received.request.body = []
        }
        threads.answer(received, with: handler)
    }
}
