import Synchronization
import Threads

/// Listens to channels with one thread and one connection, for all that wait for their notifications. It connects again
/// when the connection is lost, and runs only while somebody waits.
final class ChannelListener: Sendable {
    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let state = Mutex(State())
    fileprivate let wakeUp = WakeUp()

    private struct State {
        /// How many notifications each channel has had.
        var notifications: [String: Int] = [:]
        var subscriptions = 0
        var isRunning = false
    }

    init(_ conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void) {
        self.conninfo = conninfo
        self.prepare = prepare
    }

    fileprivate func add(_ channel: String) {
        let hasToStart = state.withLock { state in
            if state.notifications[channel] == nil { state.notifications[channel] = 0 }
            state.subscriptions += 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if hasToStart { Thread.start { [self] in listenWhileWanted() } }
    }

    fileprivate func removeOne() {
        state.withLock { $0.subscriptions -= 1 }
        wakeUp.all()
    }

    fileprivate func notifications(of channel: String) -> Int { state.withLock { $0.notifications[channel] ?? 0 } }

    // MARK: - The thread

    private func listenWhileWanted() {
        while !hasEnded() {
            // Whoever waits works again at intervals, and reports then that the database is unavailable.
            do { try listenWhileConnected() } catch {
                wakeUp.wait(milliseconds: 1_000) { !isWanted }
            }
        }
    }

    private func hasEnded() -> Bool {
        state.withLock { state in
            if state.subscriptions == 0 { state.isRunning = false }
            return !state.isRunning
        }
    }

    private var isWanted: Bool { state.withLock { $0.subscriptions > 0 } }

    private func listenWhileConnected() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        // This session is idle between notifications, and the role may close idle sessions by default.
        try connection.script("set idle_session_timeout = 0")
        var listening: Set<String> = []
        while isWanted {
            for channel in state.withLock({ Array($0.notifications.keys) }) where listening.insert(channel).inserted {
                _ = try connection.query("listen \(name: channel)")
                // Notifications from before are lost, so there may be work.
                count(channel)
            }
            for channel in Set(try connection.notifications(timeout: Self.interval)) { count(channel) }
        }
    }

    /// Milliseconds between two checks for new channels.
    private static let interval: Int32 = 200

    private func count(_ channel: String) {
        state.withLock { $0.notifications[channel, default: 0] += 1 }
        wakeUp.all()
    }
}

/// Waits for the notifications of a channel. Used by one thread.
public final class ChannelSubscription {
    private let listener: ChannelListener
    private let channel: String
    private var seen: Int

    /// - Parameter channel: the channel's name, such as `lectern_mails`.
    public init(_ database: Database, channel: String) {
        listener = database.listener
        self.channel = channel
        seen = listener.notifications(of: channel)
        listener.add(channel)
    }

    deinit { listener.removeOne() }

    /// Waits until the channel has had a notification since the last call that returned true. It also returns true once
    /// after each beginning of listening, because notifications from before may be lost.
    ///
    /// - Parameter isDone: ends the wait when it returns true; checked whenever `wake` is called.
    /// - Returns: false when the time has passed, or the wait has ended.
    public func wait(milliseconds: Int, unless isDone: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !isDone() {
            let count = listener.notifications(of: channel)
            if count != seen {
                seen = count
                return true
            }
            let left = end - .now
            guard left > .zero else { return false }
            listener.wakeUp.wait(milliseconds: Int(left / .milliseconds(1)) + 1) {
                isDone() || listener.notifications(of: channel) != seen
            }
        }
        return false
    }
}

extension Database {
    /// Has all that wait for notifications check whether they are done.
    public func wakeSubscriptions() { listener.wakeUp.all() }
}
