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

    /// The longest time for which the event loop delivers changes before it reads from sockets again, in milliseconds.
    private static let slice = 10

    private func deliver(
        _ changes: ArraySlice<Change>, _ server: RealtimeServer, whenDone: @escaping @Sendable () -> Void
    ) {
        server.withHub { [self] hub in
            let start = Clock.now
            var (now, rest) = (start, changes)
            while now.uptime - start.uptime < Self.slice, let change = rest.popFirst() {
                hub.deliver(change, at: now)
                now = Clock.now
            }
            rest.isEmpty ? whenDone() : deliver(rest, server, whenDone: whenDone)
        }
    }

    func handle(_ event: ChangeFeed.Event, whenDone: @escaping @Sendable () -> Void) {
        guard let server = server.withLock({ $0 }) else { return whenDone() }
        switch event {
        case .tables(let tables):
            server.withHub({ $0.use(tables) }, whenDone: whenDone)
            hasTables()
        case .changes(let changes): deliver(changes[...], server, whenDone: whenDone)
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
