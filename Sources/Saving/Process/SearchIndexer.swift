import Postgres
import Synchronization
import Threads

/// Adds new and changed texts to the index of words, in batches; see sql/schema/search_indexing.sql.
final class SearchIndexer: Sendable {
    private let conninfo: String
    private let prepare: @Sendable (inout Connection) throws(PostgresError) -> Void
    private let isStopping = Mutex(false)
    private let wakeUp = WakeUp()

    /// The number of users whose texts one transaction indexes.
    private static let users = 10
    /// The number of texts of each user that one transaction indexes. A writer who changes one of them waits for it.
    private static let textsOfUser = 10
    /// Milliseconds until the next look for texts after there were none.
    private static let pause = 250
    /// Milliseconds until the next attempt when the database was unavailable.
    private static let pauseAfterError = 10_000

    /// - Parameter prepare: called with each new connection.
    init(conninfo: String, prepare: @escaping @Sendable (inout Connection) throws(PostgresError) -> Void) {
        (self.conninfo, self.prepare) = (conninfo, prepare)
    }

    /// Works until stopped.
    func run() {
        while !hasToStop {
            // The runner reports an unavailable database.
            try? workWhileConnected()
            wait(Self.pauseAfterError)
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
        wakeUp.all()
    }

    /// Indexes what waits, a batch at a time.
    ///
    /// - Returns: how many texts were indexed, or could not be.
    @discardableResult static func indexWaiting(
        _ connection: inout Connection, _ hasToStop: () -> Bool
    ) throws(PostgresError) -> Int {
        var (total, count) = (0, 0)
        repeat {
            count =
                try connection.query(
                    "select private.index_waiting_parts(\(users)::int, \(textsOfUser)::int)"
                ).int(0, 0) ?? 0
            if count > 0 { _ = try connection.query("select private.merge_new_keys()") }
            total += count
        } while count > 0 && !hasToStop()
        return total
    }

    private func workWhileConnected() throws(PostgresError) {
        var connection = try Connection(conninfo)
        try prepare(&connection)
        while !hasToStop {
            try Self.indexWaiting(&connection) { hasToStop }
            wait(Self.pause)
        }
    }

    private func wait(_ milliseconds: Int) {
        wakeUp.wait(milliseconds: milliseconds) { [self] in hasToStop }
    }

    private var hasToStop: Bool { isStopping.withLock { $0 } }
}
