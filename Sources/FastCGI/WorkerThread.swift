internal import Glibc
internal import HTTP
internal import Threads

/// One ordinary thread of a worker, with its own handler and its own use of libfcgi.
struct WorkerThread {
    private let crew: WorkerThreads
    private let handler: any RequestHandler
    private let receiver: Receiver

    /// Starts a thread that works until the crew leaves or stops.
    static func start(in crew: WorkerThreads) {
        Thread.start(stackBytes: crew.options.stackBytes) {
            live(in: crew)
            crew.threadIsGone()
        }
    }

    /// Its own function, so that the handler is gone, and its database connection closed, before the thread says it is.
    private static func live(in crew: WorkerThreads) {
        let thread = WorkerThread(crew: crew, handler: crew.makeHandler(), receiver: Receiver(options: crew.options))
        crew.threadIsReady()
        thread.work()
    }

    private func work() {
        while true {
            switch crew.phase {
            case .working:
                for source in crew.poller.wait(most: 1, isPatient: true) { attend(to: source) }
            case .leaving:
                return
            case .stopping:
                // Two, because the wake-up is always among what is ready and must not hide the rest.
                let ready = crew.poller.wait(most: 2, isPatient: false).filter { $0 != .wake }
                if ready.isEmpty { return }
                for source in ready { attend(to: source) }
            }
        }
    }

    private func attend(to source: Poller.Source) {
        switch source {
        case .wake: break
        case .listener: crew.take(crew.accept())
        case .adoption: crew.take(crew.adopt())
        case .connection(let connection): if crew.connections.claim(connection) { serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        crew.threadIsBusy()
        defer { crew.threadIsIdle() }
        guard var received = receiver.receive(from: connection) else {
            crew.connections.isGone()
            return
        }
        if received.refusal == nil, handler.lane(of: received.request) == .slow {
            if crew.leaveToSlowThread(received) { return }
            received.refusal = .tooManyWaiting
            received.request.body = []
        }
        crew.answer(received, with: handler)
    }
}
