import Postgres
import Synchronization
import Threads

/// Does a piece of work in the database again and again, until it is stopped.
final class RepeatedTask: Sendable {
    /// One round. It ends early when `hasToStop` returns true.
    typealias Round =
        @Sendable (_ connection: inout Connection, _ hasToStop: () -> Bool) throws(PostgresError) -> Void

    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let pause: Int
    private let round: Round?
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// Milliseconds until the next attempt when the database was unavailable.
    private static let pauseAfterError = 10_000
    /// The longest pause in milliseconds for which a connection is kept.
    private static let keptFor = 1_000

    /// - Parameters:
    ///   - prepare: called with each new connection.
    ///   - pause: milliseconds between two rounds.
    ///   - round: nil: there is nothing to do.
    init(
        conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void, pause: Int,
        round: Round?
    ) {
        (self.conninfo, self.prepare, self.pause, self.round) = (conninfo, prepare, pause, round)
    }

    /// Works until stopped.
    func run() {
        guard let round else { return }
        while !hasToStop {
            // The runner reports an unavailable database.
            let hasSucceeded = (try? workWhileConnected(round)) != nil
            wait(hasSucceeded ? pause : Self.pauseAfterError)
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    private func workWhileConnected(_ round: Round) throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        try round(&connection) { hasToStop }
        while pause <= Self.keptFor, !hasToStop {
            wait(pause)
            try round(&connection) { hasToStop }
        }
    }

    private func wait(_ milliseconds: Int) {
        wakeUp.wait(milliseconds: milliseconds) { [self] in hasToStop }
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }
}
