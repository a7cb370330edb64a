import Postgres
import Synchronization
import Threads

/// Does a piece of work in the database again and again, until it is stopped.
final class RepeatedTask: Sendable {
    /// One round. It ends early when `hasToStop` returns true.
    typealias Round =
        @Sendable (_ connection: inout Connection, _ hasToStop: () -> Bool) throws(PostgresError) -> Void

    private let database: Database
    private let pause: Int
    private let round: Round?
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// Milliseconds until the next attempt when the database was unavailable.
    private static let pauseAfterError = 10_000

    /// - Parameters:
    ///   - database: lends a connection for each round.
    ///   - pause: milliseconds between two rounds.
    ///   - round: nil: there is nothing to do.
    init(_ database: Database, pause: Int, round: Round?) {
        (self.database, self.pause, self.round) = (database, pause, round)
    }

    /// Works until stopped.
    func run() {
        guard let round else { return }
        while !hasToStop {
            // The runner reports an unavailable database.
            let hasSucceeded =
                (try? database.usingConnection { connection throws(PostgresError) in
                    try round(&connection) { hasToStop }
                }) != nil
            wait(hasSucceeded ? pause : Self.pauseAfterError)
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    private func wait(_ milliseconds: Int) {
        wakeUp.wait(milliseconds: milliseconds) { [self] in hasToStop }
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }
}
