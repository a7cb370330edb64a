import Glibc
import Jobs
import Postgres
import ZIP

/// Writes the exports that users request, one after the other, and deletes expired files. The two run on threads of
/// their own, so that the file of a deleted account is deleted at once, also while a large export is being written.
public struct ExportWorker: Sendable {
    public struct Options: Sendable {
        /// For the role lectern_jobs.
        public var database: Database
        /// The folder of the files; nginx serves them from there.
        public var folder: String
        /// The folders of the files that an export holds.
        public var stored: StoredFolders
        /// Seconds a lease lasts without renewal.
        public var lease = 60
        /// Seconds before the second attempt; doubled for the third.
        public var retryBase = 30

        public init(_ database: Database, folder: String, stored: StoredFolders) {
            self.database = database
            self.folder = folder
            self.stored = stored
        }
    }

    /// What happened to an export. Holds none of its contents.
    public enum Event: Sendable {
        case databaseUnavailable(PostgresError)
        case ready(export: String, ExportRequest.Summary)
        /// The export is tried again after `seconds`.
        case putOff(export: String, attempt: Int, why: String, seconds: Int)
        case failed(export: String, why: String)
        /// The user was deleted, or another worker has the lease.
        case dropped(export: String)
    }

    private let options: Options
    private let policy: RetryPolicy
    private let folder: ExportFolder
    private let writing: ChannelWatch
    private let sweeping: ChannelWatch
    private let report: @Sendable (Event) -> Void

    /// The longest time that a file may outlive its expiry, in milliseconds.
    private static let sweepInterval = 60_000
    /// The longest time between two queries of the queue, in milliseconds: the delay that a lost notification can cause.
    private static let maxSleep = 600_000

    public init(_ options: Options, report: @escaping @Sendable (Event) -> Void) {
        self.options = options
        self.report = report
        policy = RetryPolicy(base: .seconds(options.retryBase), attempts: ExportQueue.attempts)
        folder = ExportFolder(path: options.folder)
        writing = ChannelWatch(options.database, channel: "lectern_exports")
        sweeping = ChannelWatch(options.database, channel: "lectern_exports")
    }

    /// Stops both threads; an export that is being written is handed back. Callable from any thread.
    public func stop() {
        writing.stop()
        sweeping.stop()
    }

    /// Deletes expired files until stopped, on the calling thread.
    public func sweep() {
        sweeping.run { () throws(PostgresError) in
            try options.database.usingConnection(folder.sweep)
            return Self.sweepInterval
        } report: {
            report(.databaseUnavailable($0))
        }
    }

    /// Writes files until stopped, on the calling thread.
    public func write() {
        let queue = ExportQueue(options.database, lease: options.lease)
        writing.run { () throws(PostgresError) in
            for export in try queue.buryInterrupted() {
                report(.failed(export: export, why: "every attempt was interrupted"))
            }
            while !writing.isStopping, let export = try queue.take() { try work(on: export, queue) }
            return try queue.millisecondsToNext(limit: Self.maxSleep)
        } report: {
            report(.databaseUnavailable($0))
        }
    }

    // MARK: - One export

    /// The lease was lost, or the user was deleted.
    private struct LostLease: Error {}
    private struct Stopped: Error {}

    private func work(on export: ExportJob, _ queue: ExportQueue) throws(PostgresError) {
        folder.removeFiles(of: export.id)
        do {
            let summary = try write(export, queue)
            guard try queue.finish(export, summary) else { throw LostLease() }
            report(.ready(export: export.id, summary))
        } catch let error as PostgresError {
            try retryOrFail(
                export, queue, "\(error)", forUser: "The database did not answer while the file was written")
        } catch is Stopped {
            try queue.handBack(export)
        } catch is LostLease {
            // The file may belong to the other worker. A file without a row is deleted by the sweep.
            report(.dropped(export: export.id))
        } catch is ExportRequest.NoUser {
            report(.dropped(export: export.id))
        } catch {
            try retryOrFail(export, queue, "\(error)", forUser: "The server could not write the file")
        }
    }

    private func write(_ export: ExportJob, _ queue: ExportQueue) throws -> ExportRequest.Summary {
        // It is busy with one snapshot until the file is written.
        let connection = try options.database.connect()
        var next = ContinuousClock.now
        let format = export.request.format
        // nginx reads it as the same user, or as a member of its group.
        return try export.request.write(
            to: folder.file(of: export.id, format), by: folder.temporary(of: export.id, format), mode: 0o640,
            from: options.stored, connection
        ) { [writing] done, total in
            if writing.isStopping { throw Stopped() }
            guard ContinuousClock.now >= next else { return }
            guard try queue.renew(export, done: done, total: total) else { throw LostLease() }
            next = ContinuousClock.now + .seconds(1)
        }
    }

    private func retryOrFail(
        _ export: ExportJob, _ queue: ExportQueue, _ why: String, forUser message: String
    ) throws(PostgresError) {
        switch policy.decide(afterAttempt: export.attempt, isRetryable: true, chance: 0.5) {
        case .bury:
            try queue.fail(export, message)
            report(.failed(export: export.id, why: why))
        case .retry(let delay):
            try queue.retry(export, after: delay)
            report(
                .putOff(
                    export: export.id, attempt: export.attempt, why: why, seconds: Int(delay.components.seconds)))
        }
    }
}
