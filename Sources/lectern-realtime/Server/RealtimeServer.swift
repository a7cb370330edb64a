import Auth
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Realtime

/// The sockets of the service on one event loop.
///
/// One thread is enough: it sends some hundred thousand messages a second. A larger service runs several processes.
final class RealtimeServer: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    /// What belongs to the event loop.
    private let parts: NIOLoopBound<Parts>

    private struct Parts {
        let hub: Hub
        let outbox: Outbox
        let handshake: Handshake
    }

    /// - Parameters:
    ///   - feedWanted: called when changes become wanted, with a number, and with nil when they no longer are.
    init(limits: Limits, keys: JWTKeySet, feedWanted: @escaping @Sendable (Int?) -> Void) throws {
        loop = group.next()
        let loop = loop
        parts = try loop.submit {
            let hub = Hub(limits: limits, verify: keys.subscriber, feedWanted: feedWanted)
            return NIOLoopBound(
                Parts(hub: hub, outbox: Outbox(limits, at: Clock.now), handshake: Handshake(keys)), eventLoop: loop)
        }.wait()
        loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [self] _ in
            use { hub in hub.tick(at: Clock.now) }
        }
    }

    /// Calls a function with the hub, then sends what it has written.
    private func use(_ body: (Hub) -> Void) {
        let parts = parts.value
        body(parts.hub)
        parts.outbox.flush()
    }

    /// Calls a function with the hub on the event loop.
    ///
    /// - Parameter whenDone: called on the event loop after the function.
    func withHub(_ body: @escaping @Sendable (Hub) -> Void, whenDone: @escaping @Sendable () -> Void = {}) {
        loop.execute { [self] in
            use(body)
            whenDone()
        }
    }

    // MARK: - Changes

    /// The longest time for which the event loop delivers changes before it reads from sockets again, in milliseconds.
    private static let slice = 10

    /// Sends changes to the channels that want them, not faster than their clients read.
    ///
    /// - Parameter whenDone: called on the event loop after the last.
    func deliver(_ changes: ArraySlice<Change>, whenDone: @escaping @Sendable () -> Void) {
        loop.execute { [self] in
            let outbox = parts.value.outbox
            var rest = changes
            use { hub in
                outbox.beginChanges()
                let start = Clock.now
                var now = start
                while !outbox.needsPause, now.uptime - start.uptime < Self.slice, let change = rest.popFirst() {
                    hub.deliver(change, at: now)
                    now = Clock.now
                }
            }
            pause(outbox.pause(at: Clock.now)) { [self, rest] in
                rest.isEmpty ? whenDone() : deliver(rest, whenDone: whenDone)
            }
        }
    }

    private func pause(_ pause: Outbox.Pause, then next: @escaping () -> Void) {
        guard !pause.isOver else { return next() }
        loop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(Outbox.pauseInterval))) { [self] in
            var pause = pause
            parts.value.outbox.examine(&pause, at: Clock.now)
            self.pause(pause, then: next)
        }
    }

    // MARK: - Listening

    /// Accepts WebSockets on a unix socket.
    func acceptSockets(on socket: UnixSocket) throws -> any Channel {
        try listen(on: socket) { [self] channel in
            let parts = parts.value
            let responder = ResponseHandler { head in
                do {
                    _ = try parts.handshake.accept(head, now: Clock.epoch)
                    return parts.handshake.refusal(
                        parts.hub.isFull ? HandshakeError.tooManySockets : HandshakeError.malformed)
                } catch {
                    return parts.handshake.refusal(error)
                }
            }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        let pipeline = context.pipeline.syncOperations
                        guard let responder = try? pipeline.handler(type: ResponseHandler.self) else { return }
                        pipeline.removeHandler(responder, promise: nil)
                    }
                ))
            try channel.pipeline.syncOperations.addHandler(responder)
        }
    }

    /// Answers requests for the metrics on a unix socket.
    func serveMetrics(on socket: UnixSocket) throws -> any Channel {
        try listen(on: socket) { [self] channel in
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
            let parts = parts.value
            try channel.pipeline.syncOperations.addHandler(
                ResponseHandler { head in MetricsResponse.response(to: head, parts.hub, parts.outbox) })
        }
    }

    private func listen(
        on socket: UnixSocket, _ configure: @escaping @Sendable (any Channel) throws -> Void
    ) throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel) }
            }
        return try socket.listen { bootstrap.bind(unixDomainSocketPath: $0) }
    }

    private var upgrader: NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: Fragments.maxBytes, automaticErrorHandling: false,
            shouldUpgrade: { [self] channel, head in
                let parts = parts.value
                let accepted = try? parts.handshake.accept(head, now: Clock.epoch)
                return channel.eventLoop.makeSucceededFuture(
                    accepted != nil && !parts.hub.isFull ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { [self] channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let parts = parts.value
                    let (version, key) = try parts.handshake.accept(head, now: Clock.epoch)
                    try channel.pipeline.syncOperations.addHandler(
                        SocketHandler(parts.hub, parts.outbox, version, key: key))
                }
            })
    }

    // MARK: - Stopping

    /// Closes all sockets, spread over a time so that their clients do not connect again at once. Blocks the calling
    /// thread.
    func closeSockets(within seconds: Int) {
        let steps = seconds * 1_000 / Self.closingInterval
        var open = socketCount
        let atOnce = max(Self.closedAtOnce, (open + steps - 1) / steps)
        while open > 0 {
            withHub { hub in hub.close(atMost: atOnce, .restart) }
            usleep(UInt32(Self.closingInterval) * 1_000)
            open -= atOnce
        }
    }

    /// In milliseconds.
    private static let closingInterval = 100
    /// So few clients may connect again at the same time.
    private static let closedAtOnce = 20

    private var socketCount: Int { (try? loop.submit { [parts] in parts.value.hub.socketCount }.wait()) ?? 0 }
}
