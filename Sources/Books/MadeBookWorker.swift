import EPUB
import Jobs
import Pictures
import Postgres

/// Makes the books of several articles, one after the other. A thread of its own, since one of them may take minutes.
public struct MadeBookWorker: Sendable {
    private let options: BookWorker.Options
    private let policy: RetryPolicy
    private let folder: BookFolder
    private let watch: ChannelWatch
    private let report: @Sendable (BookWorker.Event) -> Void

    /// The longest time between two queries of the queue, in milliseconds.
    private static let maxSleep = 600_000
    /// Time between two searches for lost files.
    private static let checkInterval = Duration.seconds(3_600)
    private static let checkedAtOnce = 1_000
    /// The pause after a failure of the server, and between two checks of the pictures of the articles.
    private static let pause = Duration.seconds(5)

    public init(_ options: BookWorker.Options, report: @escaping @Sendable (BookWorker.Event) -> Void) {
        self.options = options
        self.report = report
        policy = RetryPolicy(base: .seconds(options.retryBase), attempts: BookQueue.attempts)
        folder = BookFolder(path: options.folder)
        watch = ChannelWatch(options.database, channel: "lectern_made_books")
    }

    /// Stops the thread; a book that is being made is handed back. Callable from any thread.
    public func stop() { watch.stop() }

    /// Makes books until stopped, on the calling thread.
    public func run() {
        let database = options.database
        let queue = MadeBookQueue(database, lease: options.lease)
        let reader = BookPictureReader(program: options.program, limits: options.limits, folder: options.pictures)
        var nextCheck = ContinuousClock.now
        watch.run { () throws(PostgresError) in
            if ContinuousClock.now >= nextCheck {
                try checkFiles(queue)
                nextCheck = .now + Self.checkInterval
            }
            try queue.buryInterrupted()
            while !watch.isStopping, let job = try queue.take() { try work(on: job, queue, database, reader) }
            reader.endProcess()
            return try queue.millisecondsToNext(limit: Self.maxSleep)
        } report: {
            report(.databaseUnavailable($0))
        }
    }

    /// The book was deleted.
    private struct LostLease: Error {}
    private struct Stopped: Error {}

    private func work(
        on job: MadeBookJob, _ queue: MadeBookQueue, _ database: Database, _ reader: BookPictureReader
    ) throws(PostgresError) {
        guard !job.awaitsPictures else { return try queue.putOff(job, after: Self.pause) }
        do {
            try make(job, queue, database, reader)
        } catch is LostLease {
            return
        } catch is Stopped {
            try queue.putOff(job, after: .zero)
        } catch let error as PostgresError {
            throw error
        } catch let error where BookWorker.isServerFailure(error) {
            try queue.putOff(job, after: Self.pause)
            report(.outage(why: "\(error)"))
        } catch {
            try retryOrFail(job, queue, "\(error)")
        }
    }

    private func make(
        _ job: MadeBookJob, _ queue: MadeBookQueue, _ database: Database, _ reader: BookPictureReader
    ) throws {
        let owner = Identity(
            role: "job_worker", claims: #"{"sub":"\#(job.user)","role":"authenticated"}"#, statementTimeout: 30_000,
            applicationName: "lectern books")
        var nextRenewal = ContinuousClock.now + .seconds(options.lease) / 3
        let maker = BookMaker(folder: folder, reader: reader) { [watch, options] in
            if watch.isStopping { throw Stopped() }
            guard ContinuousClock.now >= nextRenewal else { return }
            guard try queue.renew(job) else { throw LostLease() }
            nextRenewal = .now + .seconds(options.lease) / 3
        }
        var rest = job.links[...]
        let made = try maker.make(
            .init(title: job.title, identifier: job.book, form: .parts, highlights: .inSecondFile)
        ) {
            // Links that were deleted since are not in the book.
            while let link = rest.popFirst() {
                if let saved = try SavedArticle(link, { try database.transaction(as: owner, $0) }) { return saved }
            }
            return nil
        }
        guard made.articles > 0 else {
            return try queue.fail(job, "no articles", reason: "None of its articles exists any more.")
        }
        let kept = try folder.keep(made.file, cover: made.coverFile)
        let marked = try made.markedFile.map { try folder.keep($0, cover: made.coverFile) }
        try queue.finish(
            job, articles: made.articles, hash: kept.hash, bytes: kept.bytes, markedHash: marked?.hash)
    }

    private func retryOrFail(_ job: MadeBookJob, _ queue: MadeBookQueue, _ why: String) throws(PostgresError) {
        switch policy.decide(afterAttempt: job.attempt, isRetryable: true, chance: 0.5) {
        case .bury:
            try queue.fail(job, why)
            report(.failed(book: job.book, why: why))
        case .retry(let delay):
            try queue.retry(job, after: delay, why)
            let seconds = Int(delay.components.seconds)
            report(.putOff(book: job.book, attempt: job.attempt, why: why, seconds: seconds))
        }
    }

    /// Has books made again whose files are lost. Files without a book are deleted by `BookWorker`.
    private func checkFiles(_ queue: MadeBookQueue) throws(PostgresError) {
        var last = "00000000-0000-0000-0000-000000000000"
        while true {
            let books = try queue.books(after: last, limit: Self.checkedAtOnce)
            try queue.makeAgain(books.filter { !$0.hashes.allSatisfy(folder.holds) }.map(\.book))
            guard let end = books.last, books.count == Self.checkedAtOnce else { return }
            last = end.book
        }
    }
}
