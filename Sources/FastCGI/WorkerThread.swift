internal import Glibc
internal import HTTP

/// One thread of a worker, with its own handler and its own use of libfcgi.
struct WorkerThread {
    private let crew: Crew
    private let handler: any RequestHandler
    private let exchange: Exchange

    /// Starts a thread that works until the crew leaves or stops.
    static func start(in crew: Crew) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, crew.options.stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                // Retained below for exactly this.
                let crew = Unmanaged<Crew>.fromOpaque(context!).takeRetainedValue()
                WorkerThread.live(in: crew)
                crew.threadIsGone()
                return nil
            }, Unmanaged.passRetained(crew).toOpaque())
        precondition(result == 0, "no thread: errno \(result)")
        pthread_attr_destroy(&attributes)
    }

    /// Its own function, so that the handler is gone, and its database connection closed, before the thread says it is.
    private static func live(in crew: Crew) {
        let thread = WorkerThread(crew: crew, handler: crew.makeHandler(), exchange: Exchange(options: crew.options))
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
        guard case .request(let request, let refusal) = exchange.receive(from: connection) else {
            crew.connections.isGone()
            return
        }
        let response = refusal.map { handler.refuse($0, request) } ?? handler.respond(to: request)
        exchange.answer(ResponseText(response, to: request.method))
        crew.requestServed()
        if let kept = exchange.finish(crew.phase == .stopping ? .close : .keep) {
            crew.keep(kept)
        } else {
            crew.connections.isGone()
        }
    }
}
