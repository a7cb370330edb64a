import Glibc
import Postgres
import Realtime
import Schema
import Synchronization
import Threads

/// Reads the change log while somebody watches, on a thread and a connection of its own.
///
/// It asks the log every few milliseconds. NOTIFY would tell it at once, but PostgreSQL takes a lock for a transaction
/// with a NOTIFY that lasts until its commit is complete, so all writes of all users would run one after the other.
final class ChangeFeed: Sendable {
    enum Event: Sendable {
        /// The tables whose changes can be subscribed to were read.
        case tables(Tables)
        case changes([Change])
        /// Every change that is committed from now on will be reported. The number is the one given to `want`.
        case live(Int)
        /// Changes are late until the next `live`.
        case interrupted(PostgresError)
        /// Changes may be missing.
        case gap
    }

    private let conninfo: String
    private let schema: SchemaVersion
    /// Handles an event, and calls the function when it has.
    private let tell: @Sendable (Event, _ whenDone: @escaping @Sendable () -> Void) -> Void
    /// Nil while nobody wants changes.
    private let wantedGeneration = Mutex<Int?>(nil)
    private let wakeUp = WakeUp()

    /// The time between two queries of the log, in milliseconds. It is most of the time from a commit to its message,
    /// and one look takes PostgreSQL a fraction of a millisecond.
    private static let interval: Int32 = 50
    /// The pauses after failures, in milliseconds.
    private static let pauses = [100, 250, 500, 1_000, 2_000]

    init(
        _ conninfo: String, schema: SchemaVersion,
        tell: @escaping @Sendable (Event, _ whenDone: @escaping @Sendable () -> Void) -> Void
    ) {
        self.conninfo = conninfo
        self.schema = schema
        self.tell = tell
    }

    /// Starts to read from now on, with a new number, or stops with nil. Any thread may call it.
    func want(_ generation: Int?) {
        wantedGeneration.withLock { $0 = generation }
        wakeUp.all()
    }

    /// Reads until the process ends. Blocks the calling thread.
    func run() -> Never {
        var reading: Reading?
        var failures = 0
        while true {
            do throws(PostgresError) {
                try follow(&reading) { failures = 0 }
            } catch {
                deliver(.interrupted(error))
                wakeUp.wait(milliseconds: Self.pauses[min(failures, Self.pauses.count - 1)]) { false }
                failures += 1
            }
        }
    }

    /// How far the log was read for a generation. It outlives the connection, so that nothing is lost or reported
    /// twice.
    private struct Reading {
        var generation: Int
        var cluster: String
        var position: ChangeLog.Position
    }

    private func follow(_ reading: inout Reading?, whenConnected: () -> Void) throws(PostgresError) -> Never {
        var connection = try Connection(conninfo)
        try schema.check(&connection)
        try connection.script(
            """
            set application_name = 'lectern-realtime'; set idle_session_timeout = 0; set statement_timeout = '30s'; \
            listen lectern_schema; listen pgrst
            """)
        deliver(.tables(try ChangeLog.tables(&connection)))
        whenConnected()
        if let known = reading,
            try !ChangeLog.hasAll(of: known.position.previous, in: known.cluster, &connection)
        {
            loseTrack(of: &reading)
        }
        var announced: Int?
        while true {
            guard let wanted = wantedGeneration.withLock({ $0 }) else {
                reading = nil
                wakeUp.wait(milliseconds: 60_000) { wantedGeneration.withLock { $0 != nil } }
                continue
            }
            do throws(PostgresError) {
                try readAll(&reading, for: wanted, &connection)
            } catch .refused(let refusal) where refusal.sqlState == Self.linesAreGone {
                loseTrack(of: &reading)
                continue
            }
            if announced != wanted {
                deliver(.live(wanted))
                announced = wanted
            }
            // `lectern migrate` announces changes of the schema.
            if try !connection.notifications(timeout: Self.interval).isEmpty {
                deliver(.tables(try ChangeLog.tables(&connection)))
            }
        }
    }

    /// The SQLSTATE with which the log refuses a position that is too old.
    private static let linesAreGone = "LT410"

    /// Reads and tells everything up to now. A new generation begins now.
    private func readAll(
        _ reading: inout Reading?, for wanted: Int, _ connection: inout Connection
    ) throws(PostgresError) {
        var current: Reading
        if let reading, reading.generation == wanted {
            current = reading
        } else {
            let (cluster, position) = try ChangeLog.start(&connection)
            current = Reading(generation: wanted, cluster: cluster, position: position)
        }
        reading = current
        // The position moves after the changes were reported, so after an error nothing is reported twice.
        current.position = try ChangeLog.read(after: current.position, &connection) { changes, position in
            deliver(.changes(changes))
            reading?.position = position
        }
        reading = current
    }

    private func loseTrack(of reading: inout Reading?) {
        reading = nil
        deliver(.gap)
    }

    /// Tells an event and waits until it is handled, so that changes are not read faster than they are sent.
    private func deliver(_ event: Event) {
        let handled = CountingSemaphore(0)
        tell(event) { handled.release() }
        handled.acquire()
    }
}
