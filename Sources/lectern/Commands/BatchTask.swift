import Glibc
import Postgres

/// Work on many rows in small transactions: an SQL function `private.<name>_batch(after, most, is_dry_run, …)`, called until it
/// has no `last_id` to go on from (see sql/schema/maintenance.sql).
struct BatchTask {
    /// The function's name without `_batch`.
    var name: String
    /// What it mends, for people.
    var what: String
    /// Most rows that one batch changes.
    var most: Int
    /// Further arguments by their names.
    var arguments: [(name: String, value: SQL)] = []
    /// Ends the work when so much is changed.
    var limit: Int?

    func batch(after: String?, most: Int, isDryRun: Bool) -> SQL {
        let more = arguments.map { argument -> SQL in ", \(name: argument.name) => \(argument.value)" }
        return "select last_id, seen, changed from private.\(name: name + "_batch")(\(after), \(most), \(isDryRun)"
            + more.reduce(into: SQL(), +=) + ")"
    }

    /// What became of a task.
    struct Outcome {
        var what: String
        var before: Int
        var changed = 0
        var after: Int
    }
}

/// Works tasks off, one after the other: counts, mends, counts again. What is killed or interrupted has lost nothing, and is
/// gone on with by running it again.
struct BatchRun: ~Copyable {
    private var connection: Connection
    private let interruption: Interruption

    /// Larger than those that write, as counting locks nothing.
    private static let countingBatch = 10_000
    /// A batch gives way to a writer who holds what it wants, since it holds what others want; and it holds that no longer
    /// for the disk's sake: what a crash takes back is found by another run.
    private static let identity = {
        var identity = AdminDatabase.identity
        identity.settings = [.init("lock_timeout", "50ms"), .init("synchronous_commit", "off")]
        return identity
    }()
    /// SQLSTATEs of a batch that gave way: lock not available, deadlock, serialization failure.
    private static let gaveWay: Set<String> = ["55P03", "40P01", "40001"]
    /// Times a batch gives way before the whole work gives up; with the pauses, some ten seconds.
    private static let patience = 100

    init() throws {
        connection = try AdminDatabase.connection()
        interruption = Interruption()
    }

    mutating func count(_ task: BatchTask) throws -> BatchTask.Outcome {
        let found = try changed(by: task)
        return .init(what: task.what, before: found.changed, after: found.changed)
    }

    mutating func mend(_ task: BatchTask) throws -> BatchTask.Outcome {
        let found = try changed(by: task)
        var outcome = BatchTask.Outcome(what: task.what, before: found.changed, after: found.changed)
        guard found.changed > 0 else { return outcome }
        outcome.changed = try mend(task, of: found)
        outcome.after = try changed(by: task).changed
        return outcome
    }

    // MARK: - Passes

    private struct Found {
        var seen = 0
        var changed = 0
    }

    /// Goes over everything and changes nothing.
    private mutating func changed(by task: BatchTask) throws -> Found {
        var found = Found()
        var place: String?
        repeat {
            try stopIfAsked("interrupted while counting (\(task.what))")
            let batch = try run(task.batch(after: place, most: Self.countingBatch, isDryRun: true))
            found.seen += batch.int(0, 1) ?? 0
            found.changed += batch.int(0, 2) ?? 0
            place = batch.text(0, 0)
        } while place != nil
        return found
    }

    private mutating func mend(_ task: BatchTask, of found: Found) throws -> Int {
        var bar = ProgressBar(task.what, total: min(found.seen, task.limit ?? .max))
        defer { bar.clear() }
        var size = BatchSize(most: task.most)
        var (seen, changed) = (0, 0)
        var place: String?
        repeat {
            try stopIfAsked("interrupted: \(changed) of \(found.changed) changed (\(task.what)); run it again for the rest")
            let start = ContinuousClock.now
            let most = min(size.current, (task.limit ?? .max) - changed)
            let batch = try run(task.batch(after: place, most: most, isDryRun: false))
            size.follow(ContinuousClock.now - start)
            seen += batch.int(0, 1) ?? 0
            changed += batch.int(0, 2) ?? 0
            place = batch.text(0, 0)
            bar.show(seen)
        } while place != nil && changed < task.limit ?? .max
        return changed
    }

    private mutating func run(_ batch: SQL) throws -> Rows {
        for _ in 0..<Self.patience {
            do {
                return try connection.transaction(as: Self.identity, [batch])[0]
            } catch .refused(let refusal) where Self.gaveWay.contains(refusal.sqlState) {
                usleep(100_000)
            } catch {
                throw Complaint(AdminDatabase.words(for: error))
            }
        }
        throw Complaint("others are writing the same rows all the time; try again later")
    }

    private func stopIfAsked(_ farewell: String) throws {
        if interruption.isThere { throw Complaint(farewell) }
    }
}

/// How much one batch takes on: little at first, and what fits into the time after which those who wait for its locks would
/// notice.
struct BatchSize {
    private(set) var current: Int
    private let most: Int

    /// A writer may be kept waiting for 100 ms, and a batch like the last may take several times as long on a busy machine.
    private static let longest = Duration.milliseconds(30)
    private static let short = Duration.milliseconds(10)
    private static let first = 10

    init(most: Int) {
        self.most = most
        current = min(Self.first, most)
    }

    /// - Parameter duration: what the last batch took.
    mutating func follow(_ duration: Duration) {
        if duration > Self.longest {
            current = max(1, current / 2)
        } else if duration < Self.short {
            current = min(most, current * 2)
        }
    }
}
