import Glibc
import ImportFormats
import Jobs
import Postgres

/// Reads imported files, one after the other, and deletes files that are not needed any more.
public struct ImportWorker: Sendable {
    public struct Options: Sendable {
        /// For the role lectern_jobs.
        public var database: Database
        /// The folder of uploaded files.
        public var imports: String
        /// The folder of documents; nginx serves them from there.
        public var documents: String
        /// Links that a user may have; 0: any number.
        public var linkQuota = 0
        /// Bytes that a user may store; 0: any number.
        public var storageQuota = 0
        /// Seconds a lease lasts without renewal.
        public var lease = 60
        /// Seconds before the second attempt; doubled for the third.
        public var retryBase = 30

        public init(_ database: Database, imports: String, documents: String) {
            self.database = database
            self.imports = imports
            self.documents = documents
        }
    }

    /// What happened to an import. Holds none of its contents.
    public enum Event: Sendable {
        case databaseUnavailable(PostgresError)
        case read(import: String, outcome: String)
        case putOff(import: String, attempt: Int, why: String, seconds: Int)
        case failed(import: String, why: String)
    }

    /// What a check of a document has found.
    public enum Check: Sendable {
        case readable
        /// The sentence says why, for the user.
        case unreadable(String)
        /// The check could not be made for now; the document is not the cause.
        case unavailable(String)
    }

    private let options: Options
    private let check: @Sendable (_ path: String, DocumentKind, _ name: String) -> Check
    private let policy: RetryPolicy
    private let uploads: ImportFolder
    private let documents: DocumentFolder
    private let watch: ChannelWatch
    private let report: @Sendable (Event) -> Void

    /// The longest time between two queries of the queue, in milliseconds.
    private static let maxSleep = 600_000
    private static let sweepInterval = Duration.seconds(3_600)
    private static let sweptAtOnce = 1_000
    /// Entries that are saved in one transaction, which keeps the user's other writes waiting.
    private static let savedAtOnce = 1_000
    /// How long an import is saved before another one has its turn.
    private static let turn = Duration.seconds(5)

    /// - Parameter check: whether a document can be read. Blocks until that is known.
    public init(
        _ options: Options, check: @escaping @Sendable (_ path: String, DocumentKind, _ name: String) -> Check,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.options = options
        self.check = check
        self.report = report
        policy = RetryPolicy(base: .seconds(options.retryBase), attempts: ImportQueue.attempts)
        uploads = ImportFolder(path: options.imports)
        documents = DocumentFolder(path: options.documents)
        watch = ChannelWatch(options.database, channel: "lectern_imports")
    }

    /// Stops the thread; an import that is being read is handed back. Callable from any thread.
    public func stop() { watch.stop() }

    /// Reads files until stopped, on the calling thread.
    public func run() {
        let queue = ImportQueue(options.database, lease: options.lease)
        var nextSweep = ContinuousClock.now
        watch.run { () throws(PostgresError) in
            if ContinuousClock.now >= nextSweep {
                try sweep(queue)
                nextSweep = .now + Self.sweepInterval
            }
            try removeFiles(queue)
            try queue.buryInterrupted()
            while !watch.isStopping, let job = try queue.take() { try work(on: job, queue) }
            return try queue.millisecondsToNext(limit: Self.maxSleep)
        } report: {
            report(.databaseUnavailable($0))
        }
    }

    // MARK: - One import

    private struct Stopped: Error {}
    private typealias LostLease = ImportQueue.LostLease

    private func work(on job: ImportJob, _ queue: ImportQueue) throws(PostgresError) {
        do {
            try read(job, queue)
        } catch is LostLease {
            uploads.remove(job.id)
        } catch is Stopped {
            try queue.handBack(job)
        } catch let error as UnreadableFile {
            try queue.fail(job, error.description)
            report(.failed(import: job.id, why: error.description))
        } catch let error as PostgresError {
            guard case .refused(let refusal) = error else { throw error }
            try retryOrFail(job, queue, "\(refusal.sqlState) \(refusal.message)")
        } catch {
            try retryOrFail(job, queue, "\(error)")
        }
    }

    private func read(_ job: ImportJob, _ queue: ImportQueue) throws {
        // A held import comes back when its day is over.
        if job.isHeld, job.hasSummary {
            try queue.cancelHeld(job)
            return uploads.remove(job.id)
        }
        if job.isStaged { return try save(job, queue) }
        let upload = uploads.file(of: job.id)
        guard let head = Self.head(of: upload) else {
            try queue.fail(job, "The uploaded file is missing. Send it again.")
            return report(.failed(import: job.id, why: "the uploaded file is missing"))
        }
        let (given, now) = (job.format.flatMap(ImportFormat.init), Int(time(nil)))
        if let file = try ImportFile.recognise(upload, name: job.name, as: given, now: now) {
            try stage(file, of: job, queue)
            uploads.remove(job.id)
            return job.isHeld ? () : try save(job, queue)
        }
        if job.isHeld { return try queue.hold(job, document: StagedEntries.Summary.document) }
        try readDocument(head, of: job, queue)
    }

    // MARK: - Entries

    private func stage(_ file: ImportFile, of job: ImportJob, _ queue: ImportQueue) throws {
        let keepLease = leaseKeeper(job, queue)
        var staged = StagedEntries { entries, rows in
            try keepLease()
            try queue.stage(entries, rows: rows, of: job)
        }
        try file.read { entry in
            guard let document = entry.document else { return try staged.add(entry) }
            var entry = entry
            guard let pieces = try file.open(document.path) else {
                entry.problem = "The file of this document is not in the export."
                return try staged.add(entry)
            }
            let stored = try documents.keep(pieces, of: job.id, document.kind, progress: keepLease)
            guard stored.hash == document.hash else {
                // The file may be that of another entry; if not, the sweep deletes it.
                entry.problem = "The file of this document is damaged."
                return try staged.add(entry)
            }
            try staged.add(entry, stored)
        }
        try staged.flush()
        try queue.finishStaging(job, format: file.format.rawValue, rows: staged.rows, summary: staged.summary.json)
    }

    private func save(_ job: ImportJob, _ queue: ImportQueue) throws {
        let keepLease = leaseKeeper(job, queue)
        let end = ContinuousClock.now + Self.turn
        var batches = 0
        while try queue.saveEntries(
            of: job, linkQuota: options.linkQuota, storageQuota: options.storageQuota, limit: Self.savedAtOnce)
        {
            try keepLease()
            batches += 1
            if batches.nonzeroBitCount == 1 { try queue.discardPlans() }
            if ContinuousClock.now > end, try queue.isAnotherDue() { return try queue.handBack(job) }
        }
        try queue.finish(job)
        report(.read(import: job.id, outcome: "saved"))
    }

    /// A function that renews the lease when that is due, and ends the work when it has to stop.
    private func leaseKeeper(_ job: ImportJob, _ queue: ImportQueue) -> () throws -> Void {
        var nextRenewal = ContinuousClock.now
        return { [watch, options] in
            if watch.isStopping { throw Stopped() }
            guard ContinuousClock.now >= nextRenewal else { return }
            guard try queue.renew(job) else { throw LostLease() }
            nextRenewal = .now + .seconds(options.lease) / 3
        }
    }

    // MARK: - Documents

    private func readDocument(_ head: [UInt8], of job: ImportJob, _ queue: ImportQueue) throws {
        let upload = uploads.file(of: job.id)
        guard let kind = DocumentKind(head: head, name: job.name) else {
            return try reject(job, queue, "This is not a PDF, EPUB, HTML, Markdown or text file.")
        }
        switch check(upload, kind, job.name) {
        case .readable: break
        case .unreadable(let why): return try reject(job, queue, why)
        case .unavailable(let why):
            if watch.isStopping { throw Stopped() }
            try queue.handBack(job, after: .seconds(5))
            return report(.putOff(import: job.id, attempt: job.attempt, why: why, seconds: 5))
        }
        let document = try documents.keep(
            try FilePieces.of(upload), of: job.id, kind, progress: leaseKeeper(job, queue))
        let outcome = try queue.store(document, of: job, linkQuota: options.linkQuota)
        if outcome != .stored { documents.remove(document.address) }
        uploads.remove(job.id)
        report(.read(import: job.id, outcome: outcome?.rawValue ?? "cancelled"))
    }

    private func reject(_ job: ImportJob, _ queue: ImportQueue, _ why: String) throws(PostgresError) {
        try queue.reject(job, why)
        uploads.remove(job.id)
        report(.read(import: job.id, outcome: "rejected"))
    }

    private func retryOrFail(_ job: ImportJob, _ queue: ImportQueue, _ why: String) throws(PostgresError) {
        switch policy.decide(afterAttempt: job.attempt, isRetryable: true, chance: 0.5) {
        case .bury:
            try queue.fail(job, "The server could not read or store the file. Try again later.")
            report(.failed(import: job.id, why: why))
        case .retry(let delay):
            try queue.retry(job, after: delay)
            let seconds = Int(delay.components.seconds)
            report(.putOff(import: job.id, attempt: job.attempt, why: why, seconds: seconds))
        }
    }

    /// The first bytes of a file; nil where it cannot be read.
    private static func head(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: DocumentKind.headLength)
        let count = pread(file, &head, head.count, 0)
        return count >= 0 ? Array(head[..<count]) : nil
    }

    // MARK: - Files

    /// Deletes the files of deleted documents, and uploads of cancelled imports.
    private func removeFiles(_ queue: ImportQueue) throws(PostgresError) {
        try queue.clearCancelled(limit: Self.sweptAtOnce)
        while true {
            let addresses = try queue.filesToRemove(limit: Self.sweptAtOnce)
            addresses.forEach(documents.remove)
            if !addresses.isEmpty { try queue.forget(addresses) }
            if addresses.count < Self.sweptAtOnce { break }
        }
        for (id, isKnown) in try queue.unneeded(uploads.sweepUnfinished()) where isKnown || uploads.isOld(id) {
            uploads.remove(id)
        }
    }

    /// Deletes files that an interrupted import has left.
    private func sweep(_ queue: ImportQueue) throws(PostgresError) {
        let old = documents.old()
        for start in stride(from: 0, to: old.count, by: Self.sweptAtOnce) {
            let some = Array(old[start..<min(start + Self.sweptAtOnce, old.count)])
            for address in try queue.unknownDocuments(some) { documents.remove(address) }
        }
    }
}
