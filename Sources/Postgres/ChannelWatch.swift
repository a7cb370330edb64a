import Glibc
import Synchronization

/// Calls a function after each NOTIFY of a channel, and after the time that the function asked for. It uses one thread
/// and one connection, and reconnects when the connection is lost.
public final class ChannelWatch: Sendable {
    private let conninfo: String
    private let channel: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let stopping = Atomic(false)

    /// - Parameters:
    ///   - conninfo: libpq's keyword string or URI.
    ///   - channel: the channel's name, such as `lectern_mails`.
    ///   - prepare: runs on each new connection. If it throws, the connection is not used.
    public init(
        _ conninfo: String, channel: String,
        prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void = { _ in }
    ) {
        self.conninfo = conninfo
        self.channel = channel
        self.prepare = prepare
    }

    /// Asks `run` to return. Any thread may call it.
    public func stop() { stopping.store(true, ordering: .relaxed) }

    public var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Works until `stop` is called. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - work: does the work that is due, and returns after how many milliseconds it must run again at the latest.
    ///   - report: receives the error when the connection is lost or the work fails. Both are retried after a second.
    public func run(
        _ work: (inout Connection) throws(PostgresError) -> Int, report: (PostgresError) -> Void
    ) {
        while !isStopping {
            do throws(PostgresError) {
                try workWhileConnected(work)
            } catch {
                if isStopping { return }
                report(error)
                sleep(milliseconds: 1_000)
            }
        }
    }

    private func workWhileConnected(_ work: (inout Connection) throws(PostgresError) -> Int) throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        // This session is idle between notifications, and the role may close idle sessions by default.
        try connection.script("set idle_session_timeout = 0")
        // Notifications from before the LISTEN are lost, so the work runs once without one.
        _ = try connection.query("listen \(name: channel)")
        while !isStopping {
            var remaining = try max(work(&connection), 10)
            // Waits in short intervals, so that `stop` takes effect soon.
            while remaining > 0, !isStopping {
                let wait = min(remaining, Self.interval)
                if try !connection.notifications(timeout: Int32(wait)).isEmpty { break }
                remaining -= wait
            }
        }
    }

    /// Milliseconds between two checks for `stop`.
    private static let interval = 200

    private func sleep(milliseconds: Int) {
        for _ in 0..<(milliseconds / Self.interval) where !isStopping { usleep(useconds_t(Self.interval * 1_000)) }
    }
}
