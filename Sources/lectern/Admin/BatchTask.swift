import Glibc
import Postgres

/// A task over many rows in small transactions: the SQL function
/// `private.<name>_batch(after, max_rows, is_dry_run, …)`, called until it returns no `last_id` to continue from (see
/// sql/schema/maintenance.sql).
struct BatchTask {
    /// The function's name without `_batch`.
    var name: String
    /// What the task changes, as printed.
    var what: String
    /// Largest number of rows that one batch changes.
    var batchSize: Int
    /// Further named arguments of the function.
    var arguments: [(name: String, value: SQL)] = []
    /// Stops after this many changes.
    var limit: Int?

    func batch(after: String?, size: Int, isDryRun: Bool) -> SQL {
        let more = arguments.map { argument -> SQL in ", \(name: argument.name) => \(argument.value)" }
        return "select last_id, seen, changed from private.\(name: name + "_batch")(\(after), \(size), \(isDryRun)"
            + more.reduce(into: SQL(), +=) + ")"
    }

    /// Counts before and after a task.
    struct Outcome {
        var what: String
        var before: Int
        var changed = 0
        var after: Int
    }
}

/// Runs tasks one after another: counts, applies, counts again. An interrupted or killed run loses nothing; running it
/// again continues.
struct BatchRun: ~Copyable {
    private var connection: Connection
    private let interruption: Interruption

    /// Larger than a writing batch, because counting takes no locks.
    private static let countingBatch = 10_000
    /// A batch yields to a writer that holds a row it needs, because the batch holds rows others need. It waits for the
    /// disk, because clients are sent its changes; see `rest.logged_snapshot`.
    private static let identity = {
        var identity = AdminDatabase.identity
        identity.settings = [.init("lock_timeout", "50ms")]
        return identity
    }()
    /// SQLSTATEs of a batch that yielded: lock not available, deadlock, serialization failure.
    private static let yielded: Set<String> = ["55P03", "40P01", "40001"]
    /// How often a batch yields before the task fails; with the pauses about ten seconds.
    private static let maxRetries = 100

    init() throws {
        connection = try AdminDatabase.connection()
        interruption = Interruption()
    }

    mutating func count(_ task: BatchTask) throws -> BatchTask.Outcome {
        let found = try countChanges(of: task)
        return .init(what: task.what, before: found.changed, after: found.changed)
    }

    mutating func apply(_ task: BatchTask) throws -> BatchTask.Outcome {
        let found = try countChanges(of: task)
        var outcome = BatchTask.Outcome(what: task.what, before: found.changed, after: found.changed)
        guard found.changed > 0 else { return outcome }
        outcome.changed = try apply(task, to: found)
        outcome.after = try countChanges(of: task).changed
        return outcome
    }

    // MARK: - Passes

    private struct Found {
        var seen = 0
        var changed = 0
    }

    /// Counts what the task would change.
    private mutating func countChanges(of task: BatchTask) throws -> Found {
        var found = Found()
        var place: String?
        repeat {
            try stopIfInterrupted("interrupted while counting (\(task.what))")
            let batch = try run(task.batch(after: place, size: Self.countingBatch, isDryRun: true))
            found.seen += batch.int(0, 1) ?? 0
            found.changed += batch.int(0, 2) ?? 0
            place = batch.text(0, 0)
        } while place != nil
        return found
    }

    private mutating func apply(_ task: BatchTask, to found: Found) throws -> Int {
        var bar = ProgressBar(task.what, total: min(found.seen, task.limit ?? .max))
        defer { bar.clear() }
        var size = BatchSize(limit: task.batchSize)
        var (seen, changed) = (0, 0)
        var place: String?
        repeat {
            try stopIfInterrupted(
                "interrupted after \(changed) of \(found.changed) changes (\(task.what)); run the command again to continue"
            )
            let start = ContinuousClock.now
            let rows = min(size.current, (task.limit ?? .max) - changed)
            let batch = try run(task.batch(after: place, size: rows, isDryRun: false))
            size.adapt(to: ContinuousClock.now - start)
            seen += batch.int(0, 1) ?? 0
            changed += batch.int(0, 2) ?? 0
            place = batch.text(0, 0)
            bar.show(seen)
        } while place != nil && changed < task.limit ?? .max
        return changed
    }

    private mutating func run(_ batch: SQL) throws -> Rows {
        for _ in 0..<Self.maxRetries {
            do {
                return try connection.transaction(as: Self.identity, [batch])[0]
            } catch .refused(let refusal) where Self.yielded.contains(refusal.sqlState) {
                usleep(100_000)
            } catch {
                throw CommandError(AdminDatabase.message(for: error))
            }
        }
        throw CommandError("other transactions keep these rows locked; try again later")
    }

    private func stopIfInterrupted(_ message: String) throws {
        if interruption.isPending { throw CommandError(message) }
    }
}

/// The size of the next batch: small at first, then as large as fits into a lock time that writers do not notice.
struct BatchSize {
    private(set) var current: Int
    private let limit: Int

    /// A writer may wait 100 ms, and the next batch may take several times as long as the last on a busy machine.
    private static let maxDuration = Duration.milliseconds(30)
    private static let short = Duration.milliseconds(10)
    private static let first = 10

    init(limit: Int) {
        self.limit = limit
        current = min(Self.first, limit)
    }

    /// - Parameter duration: of the last batch.
    mutating func adapt(to duration: Duration) {
        if duration > Self.maxDuration {
            current = max(1, current / 2)
        } else if duration < Self.short {
            current = min(limit, current * 2)
        }
    }
}
