import Synchronization

/// Calls a function after each NOTIFY of a channel, and after the time that the function asked for.
public final class ChannelWatch: Sendable {
    private let database: Database
    private let channel: String
    private let stopping = Atomic(false)

    /// - Parameter channel: the channel's name, such as `lectern_mails`.
    public init(_ database: Database, channel: String) {
        self.database = database
        self.channel = channel
    }

    /// Asks `run` to return. Any thread may call it.
    public func stop() {
        stopping.store(true, ordering: .relaxed)
        database.wakeSubscriptions()
    }

    public var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Works until `stop` is called. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - work: does the work that is due, and returns after how many milliseconds it must run again at the latest.
    ///   - report: receives the error when the work fails. It is retried after a second.
    public func run(_ work: () throws(PostgresError) -> Int, report: (PostgresError) -> Void) {
        let subscription = ChannelSubscription(database, channel: channel)
        while !isStopping {
            var pause = 1_000
            do throws(PostgresError) {
                pause = max(try work(), 10)
            } catch {
                if isStopping { return }
                report(error)
            }
            _ = subscription.wait(milliseconds: pause) { isStopping }
        }
    }
}
