import Jobs
import PictureMessages
import Pictures
import Postgres
import ZIP

/// Makes the books of articles, one after the other, and deletes files that belong to none.
public struct BookWorker: Sendable {
    public struct Options: Sendable {
        /// For the role lectern_jobs.
        public var database: Database
        /// The folder of the books; nginx serves them from there.
        public var folder: String
        /// The folder of the stored pictures.
        public var pictures: String
        /// Path of the program that reads pictures.
        public var program: String
        public var limits = PictureLimits()
        /// Seconds a lease lasts without renewal.
        public var lease = 60
        /// Seconds before the second attempt; doubled for the third.
        public var retryBase = 30

        public init(_ database: Database, folder: String, pictures: String, program: String) {
            self.database = database
            self.folder = folder
            self.pictures = pictures
            self.program = program
        }
    }

    /// What happened to a book, which is named by the id of its link or its own. Holds none of its contents.
    public enum Event: Sendable {
        case databaseUnavailable(PostgresError)
        case putOff(book: String, attempt: Int, why: String, seconds: Int)
        case failed(book: String, why: String)
        /// Books cannot be written, or pictures cannot be read, because of a local error.
        case outage(why: String)
    }

    private let options: Options
    private let policy: RetryPolicy
    private let folder: BookFolder
    private let watch: ChannelWatch
    private let report: @Sendable (Event) -> Void

    /// The longest time between two queries of the queue, in milliseconds.
    private static let maxSleep = 600_000
    /// The pause after a failure of the server, in milliseconds.
    private static let outagePause = 5_000
    /// Time between two sweeps.
    private static let sweepInterval = Duration.seconds(3_600)
    private static let sweptAtOnce = 1_000

    public init(_ options: Options, report: @escaping @Sendable (Event) -> Void) {
        self.options = options
        self.report = report
        policy = RetryPolicy(base: .seconds(options.retryBase), attempts: BookQueue.attempts)
        folder = BookFolder(path: options.folder)
        watch = ChannelWatch(options.database, channel: "lectern_books")
    }

    /// Stops the thread; a book that is being made is handed back. Callable from any thread.
    public func stop() { watch.stop() }

    /// Makes books until stopped, on the calling thread.
    public func run() {
        let database = options.database
        let queue = BookQueue(database, lease: options.lease)
        let reader = BookPictureReader(program: options.program, limits: options.limits, folder: options.pictures)
        var nextSweep = ContinuousClock.now
        watch.run { () throws(PostgresError) in
            if ContinuousClock.now >= nextSweep {
                try sweep(queue)
                nextSweep = .now + Self.sweepInterval
            }
            try queue.buryInterrupted()
            var isOutage = false
            while !watch.isStopping, !isOutage, let job = try queue.take() {
                isOutage = try !work(on: job, queue, database, reader)
            }
            let pause = isOutage ? Self.outagePause : try queue.millisecondsToNext(limit: Self.maxSleep)
            return min(pause, reader.endIdleProcess() ?? pause)
        } report: {
            report(.databaseUnavailable($0))
        }
        reader.endProcess()
    }

    // MARK: - One book

    /// The article has changed or was deleted.
    private struct LostLease: Error {}
    private struct Stopped: Error {}

    /// - Returns: false where the server itself failed. The next book would fail in the same way.
    private func work(
        on job: BookJob, _ queue: BookQueue, _ database: Database, _ reader: BookPictureReader
    ) throws(PostgresError) -> Bool {
        guard try !queue.awaitPictures(job) else { return true }
        do {
            try make(job, queue, database, reader)
        } catch is LostLease {
            return true
        } catch is Stopped {
            try queue.handBack(job)
        } catch let error as PostgresError {
            throw error
        } catch let error where Self.isServerFailure(error) {
            try queue.putOff(job, "\(error)")
            report(.outage(why: "\(error)"))
            return false
        } catch {
            try retryOrFail(job, queue, "\(error)")
        }
        return true
    }

    /// Whether an error is not about the book: the disk is full, or pictures cannot be read for now.
    static func isServerFailure(_ error: any Error) -> Bool {
        error is BookFolder.Failure || error is ZIPError || error is BookMaker.PicturesUnavailable
    }

    private func make(
        _ job: BookJob, _ queue: BookQueue, _ database: Database, _ reader: BookPictureReader
    ) throws {
        let owner = Identity(
            role: "job_worker", claims: #"{"sub":"\#(job.user)","role":"authenticated"}"#, statementTimeout: 30_000,
            applicationName: "lectern books")
        let saved = try SavedArticle(job.link) { try database.transaction(as: owner, $0) }
        guard let saved else { throw LostLease() }
        var nextRenewal = ContinuousClock.now + .seconds(options.lease) / 3
        let maker = BookMaker(folder: folder, reader: reader) { [watch, options] in
            if watch.isStopping { throw Stopped() }
            guard ContinuousClock.now >= nextRenewal else { return }
            guard try queue.renew(job) else { throw LostLease() }
            nextRenewal = .now + .seconds(options.lease) / 3
        }
        var rest = [saved][...]
        let made = try maker.make(
            .init(title: saved.article.title, identifier: job.link, form: .article, highlights: .inSecondFile)
        ) { rest.popFirst() }
        let kept = try folder.keep(made.file, cover: made.coverFile)
        let marked = try made.markedFile.map { try folder.keep($0, cover: made.coverFile) }
        try queue.finish(job, hash: kept.hash, bytes: kept.bytes, markedHash: marked?.hash)
    }

    private func retryOrFail(_ job: BookJob, _ queue: BookQueue, _ why: String) throws(PostgresError) {
        switch policy.decide(afterAttempt: job.attempt, isRetryable: true, chance: 0.5) {
        case .bury:
            try queue.fail(job, why)
            report(.failed(book: job.link, why: why))
        case .retry(let delay):
            try queue.retry(job, after: delay, why)
            let seconds = Int(delay.components.seconds)
            report(.putOff(book: job.link, attempt: job.attempt, why: why, seconds: seconds))
        }
    }

    // MARK: - Files

    /// Deletes files that belong to no book, and has lost ones made again.
    private func sweep(_ queue: BookQueue) throws(PostgresError) {
        var old: [String] = []
        folder.forEachOldBook { old.append($0) }
        for start in stride(from: 0, to: old.count, by: Self.sweptAtOnce) {
            let some = Array(old[start..<min(start + Self.sweptAtOnce, old.count)])
            for hash in try queue.unknown(some) { folder.remove(hash) }
        }
        var last = "00000000-0000-0000-0000-000000000000"
        while true {
            let books = try queue.books(after: last, limit: Self.sweptAtOnce)
            try queue.makeAgain(books.filter { !$0.hashes.allSatisfy(folder.holds) }.map(\.link))
            guard let end = books.last, books.count == Self.sweptAtOnce else { return }
            last = end.link
        }
    }
}
