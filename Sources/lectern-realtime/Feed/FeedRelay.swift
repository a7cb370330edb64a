import Realtime
import Synchronization
import Telemetry

/// Carries the events of the feed to the event loop.
final class FeedRelay: Sendable {
    private let log: Log
    private let hasTables: @Sendable () -> Void
    private let server = Mutex<RealtimeServer?>(nil)

    /// - Parameter hasTables: called whenever the tables were read.
    init(_ log: Log, hasTables: @escaping @Sendable () -> Void) {
        self.log = log
        self.hasTables = hasTables
    }

    /// Names the server. It is started after the feed, which it starts and stops.
    func connect(to server: RealtimeServer) { self.server.withLock { $0 = server } }

    func handle(_ event: ChangeFeed.Event, whenDone: @escaping @Sendable () -> Void) {
        guard let server = server.withLock({ $0 }) else { return whenDone() }
        switch event {
        case .tables(let tables):
            server.withHub({ $0.use(tables) }, whenDone: whenDone)
            hasTables()
        case .changes(let changes): server.deliver(changes[...], whenDone: whenDone)
        case .live(let generation): server.withHub({ $0.feedIsLive(generation) }, whenDone: whenDone)
        case .interrupted(let error):
            log(.databaseUnavailable(reason: String(describing: error)))
            server.withHub({ $0.feedIsInterrupted() }, whenDone: whenDone)
        case .gap:
            log(.realtimeGap)
            server.withHub({ $0.feedHasGap() }, whenDone: whenDone)
        }
    }
}
