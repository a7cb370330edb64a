import Postgres
import Synchronization
import Threads

/// Does a piece of work in the database every hour, until it is stopped. Each round has a connection of its own.
final class HourlyTask: Sendable {
    /// One round. It ends early when `hasToStop` returns true.
    typealias Round =
        @Sendable (_ connection: inout Connection, _ hasToStop: () -> Bool) throws(PostgresError) -> Void

    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let round: Round?
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// Milliseconds between two rounds.
    private static let pause = 3_600_000
    /// Milliseconds until the next attempt when the database was unavailable.
    private static let shortPause = 10_000

    /// - Parameters:
    ///   - prepare: called with each new connection before a round.
    ///   - round: nil: there is nothing to do.
    init(
        conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void, round: Round?
    ) {
        (self.conninfo, self.prepare, self.round) = (conninfo, prepare, round)
    }

    /// Works until stopped.
    func run() {
        guard let round else { return }
        while !hasToStop {
            // The runner reports an unavailable database.
            let hasSucceeded = (try? begin(round)) != nil
            wakeUp.wait(milliseconds: hasSucceeded ? Self.pause : Self.shortPause) { [self] in hasToStop }
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }

    private func begin(_ round: Round) throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        try round(&connection) { hasToStop }
    }
}
