import Glibc
import Postgres
import ZIP

/// Writes the exports that users ask for, one after the other, and deletes their files when they are over. Two threads, so
/// that a deleted account's file goes at once, also while a large one is being written.
public struct ExportWorker: Sendable {
    public struct Options: Sendable {
        /// libpq's keyword string or URI, for the role lectern_jobs.
        public var conninfo: String
        /// The folder of the files; nginx serves them from there.
        public var folder: String
        /// Run on each fresh connection; its throw refuses the connection.
        public var prepare: @Sendable (inout Connection) throws(PostgresError) -> Void = { _ in }
        /// Seconds an export may go without a sign of life before it is taken up again.
        public var lease = 60
        /// Seconds before the second try; doubled for the third.
        public var retryBase = 30

        public init(conninfo: String, folder: String) {
            self.conninfo = conninfo
            self.folder = folder
        }
    }

    /// What became of an export. Holds nothing of what is in it.
    public enum Event: Sendable {
        case databaseUnavailable(PostgresError)
        case ready(export: String, PersonalArchive.Summary)
        /// Tried again after so many seconds.
        case putOff(export: String, attempt: Int, why: String, seconds: Int)
        case failed(export: String, why: String)
        /// Its user is gone, or another writer has it.
        case dropped(export: String)
    }

    private let options: Options
    private let folder: ExportFolder
    private let writing: ChannelWatch
    private let sweeping: ChannelWatch
    private let report: @Sendable (Event) -> Void

    /// Longest sleep in milliseconds: what a lost notification can cost, and how long a file outlives its time.
    private static let longestSleep = 60_000

    public init(_ options: Options, report: @escaping @Sendable (Event) -> Void) {
        self.options = options
        self.report = report
        folder = ExportFolder(path: options.folder)
        writing = ChannelWatch(options.conninfo, channel: "lectern_exports", prepare: options.prepare)
        sweeping = ChannelWatch(options.conninfo, channel: "lectern_exports", prepare: options.prepare)
    }

    /// Asks both to end; what is being written is handed back. Callable from any thread.
    public func stop() {
        writing.stop()
        sweeping.stop()
    }

    /// Deletes files until stopped, on the calling thread.
    public func sweep() {
        sweeping.run { connection throws(PostgresError) in
            try folder.sweep(&connection)
            return Self.longestSleep
        } report: { report(.databaseUnavailable($0)) }
    }

    /// Writes files until stopped, on the calling thread.
    public func write() {
        let queue = ExportQueue(Database(options.conninfo, prepare: options.prepare), lease: options.lease)
        writing.run { _ throws(PostgresError) in
            for export in try queue.bury() { report(.failed(export: export, why: "its writers died")) }
            while !writing.isStopping, let export = try queue.take() { try carry(export, queue) }
            return try queue.millisecondsToNext(most: Self.longestSleep)
        } report: { report(.databaseUnavailable($0)) }
    }

    // MARK: - One export

    /// The lease is another's now, or its user is gone.
    private struct Lost: Error {}
    private struct Stopped: Error {}

    private func carry(_ export: ExportLease, _ queue: ExportQueue) throws(PostgresError) {
        folder.clean(export.id)
        do {
            let summary = try write(export, queue)
            guard try queue.finish(export, summary) else { throw Lost() }
            report(.ready(export: export.id, summary))
        } catch let error as PostgresError {
            try settle(export, queue, "\(error)", forUser: "The database did not answer while the file was written")
        } catch is Stopped {
            try queue.handBack(export)
        } catch is Lost {
            // The file is left alone: it may be the other writer's. One without a row is swept up.
            report(.dropped(export: export.id))
        } catch is PersonalArchive.NoUser {
            report(.dropped(export: export.id))
        } catch {
            try settle(export, queue, "\(error)", forUser: "The server could not write the file")
        }
    }

    private func write(_ export: ExportLease, _ queue: ExportQueue) throws -> PersonalArchive.Summary {
        var connection = try Connection(options.conninfo)
        try options.prepare(&connection)
        var next = ContinuousClock.now
        let archive = PersonalArchive(connection, of: export.user) { [writing] done, total in
            if writing.isStopping { throw Stopped() }
            guard ContinuousClock.now >= next else { return }
            guard try queue.renew(export, done: done, total: total) else { throw Lost() }
            next = ContinuousClock.now + .seconds(1)
        }
        // nginx reads it as the same user, or as one of its group.
        return try archive.write(to: folder.file(of: export.id), by: folder.temporary(of: export.id), mode: 0o640)
    }

    private func settle(_ export: ExportLease, _ queue: ExportQueue, _ why: String, forUser message: String) throws(PostgresError) {
        guard export.attempt < ExportQueue.attempts else {
            try queue.fail(export, message)
            return report(.failed(export: export.id, why: why))
        }
        let wait = options.retryBase << (export.attempt - 1)
        try queue.putOff(export, seconds: wait)
        report(.putOff(export: export.id, attempt: export.attempt, why: why, seconds: wait))
    }
}
