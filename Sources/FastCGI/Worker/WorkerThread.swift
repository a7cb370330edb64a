internal import Glibc
internal import HTTP
internal import Threads

/// One ordinary thread of a worker, with its own handler and its own receiver.
struct WorkerThread {
    private let threads: WorkerThreads
    /// The number of the thread in its process, from 0.
    private let number: Int
    private let handler: any RequestHandler
    private let receiver: Receiver

    /// Starts a thread that works until the worker drains or stops.
    static func start(_ number: Int, in threads: WorkerThreads) {
        // Inherits the mask of the main thread, see `Worker.run`. A crash handler can thus still stop all threads.
        Thread.start(stackBytes: threads.options.stackBytes, signals: .inherited) {
            run(number, in: threads)
            threads.threadHasEnded()
        }
    }

    /// A separate function, so that the handler is released, and its database connection closed, before the thread
    /// reports its end.
    private static func run(_ number: Int, in threads: WorkerThreads) {
        let thread = WorkerThread(
            threads: threads, number: number, handler: threads.makeHandler(),
            receiver: Receiver(options: threads.options))
        threads.threadIsReady()
        thread.work()
    }

    private func work() {
        while true {
            switch threads.phase {
            case .working:
                for source in threads.poller.wait(limit: 1, isBlocking: true) { handle(source) }
            case .draining:
                if !answerHeld() { return }
            case .stopping:
                // Three, because the wake-ups may be ready all the time and must not hide another source.
                let ready = threads.poller.wait(limit: 3, isBlocking: false).filter { $0 != .wake && $0 != .held }
                if ready.isEmpty, !answerHeld() { return }
                for source in ready { handle(source) }
            }
        }
    }

    /// Answers a held request, or waits for the turn of one. Returns false when none is left.
    private func answerHeld() -> Bool {
        if threads.limits.isIdle { return false }
        // Not by the poller, whose wake-up for the new phase stays ready.
        if !threads.answerHeld(with: handler, on: number) { usleep(5_000) }
        return true
    }

    private func handle(_ source: Poller.Source) {
        switch source {
        case .wake: break
        case .held: _ = threads.answerHeld(with: handler, on: number)
        case .listener: threads.take(threads.accept())
        case .handover: threads.take(threads.receiveHandedOver())
        case .connection(let connection): if threads.connections.claim(connection) { serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        threads.threadIsBusy()
        defer { threads.threadIsIdle() }
        guard let received = receiver.receive(from: connection) else {
            threads.connections.removed()
            return
        }
        guard received.rejection == nil else { return threads.answer(received, with: handler) }
        let source = handler.source(of: received.request)
        switch handler.lane(of: received.request) {
        case .slow:
            if let rejection = threads.queueForSlowThread(received, of: source) {
                threads.reject(received, rejection, with: handler)
            }
        case .ordinary:
            guard let source else { return threads.answer(received, with: handler) }
            switch threads.limits.admit(received, of: source, on: number) {
            case .begun:
                threads.answer(received, with: handler)
                threads.limits.end(on: number)
            case .held: break
            case .rejected: threads.reject(received, .tooManyOfSource, with: handler)
            }
        }
    }
}
