import Glibc
import Synchronization

/// Works whenever somebody NOTIFYs a channel, and when the work itself asked to be woken; on one thread with one
/// connection, which is made anew when it is lost.
public final class ChannelWatch: Sendable {
    private let conninfo: String
    private let channel: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let stopping = Atomic(false)

    /// - Parameters:
    ///   - conninfo: libpq's keyword string or URI.
    ///   - channel: one of ours, such as `lectern_mails`.
    ///   - prepare: run on each fresh connection; its throw refuses the connection.
    public init(
        _ conninfo: String, channel: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void = { _ in }
    ) {
        self.conninfo = conninfo
        self.channel = channel
        self.prepare = prepare
    }

    /// Asks the watch to end. Callable from any thread.
    public func stop() { stopping.store(true, ordering: .relaxed) }

    public var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Works until stopped. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - work: does what there is to do, and tells after how many milliseconds to look again at the latest.
    ///   - report: told why a connection was lost or the work failed; both are tried again after a second.
    public func run(
        _ work: (inout Connection) throws(PostgresError) -> Int, report: (PostgresError) -> Void
    ) {
        while !isStopping {
            do throws(PostgresError) {
                try workWhileConnected(work)
            } catch {
                if isStopping { return }
                report(error)
                rest(milliseconds: 1_000)
            }
        }
    }

    private func workWhileConnected(_ work: (inout Connection) throws(PostgresError) -> Int) throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        // This session is idle between notifications, and the role may close idle sessions by default.
        try connection.script("set idle_session_timeout = 0")
        // What was announced before we listened is found by looking.
        _ = try connection.query("listen \(name: channel)")
        while !isStopping {
            var left = try max(work(&connection), 10)
            // In short turns, so that a stop is not kept waiting.
            while left > 0, !isStopping {
                let turn = min(left, Self.turn)
                if try !connection.notifications(timeout: Int32(turn)).isEmpty { break }
                left -= turn
            }
        }
    }

    private static let turn = 200

    private func rest(milliseconds: Int) {
        for _ in 0..<(milliseconds / Self.turn) where !isStopping { usleep(useconds_t(Self.turn * 1_000)) }
    }
}
