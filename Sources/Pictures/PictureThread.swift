import Crypto
import HTTPFetch
import Jobs
import Links
import PictureMessages
import Postgres
import Threads

/// The work of one thread: lists the pictures of links, and fetches pictures.
final class PictureThread {
    private let settings: PictureSettings
    private let queue: PictureQueue
    private let store: PictureStore
    private let folder: PictureFolder
    private let reader: PictureReader
    private let fetcher: Fetcher
    private let decoding: CountingSemaphore
    private let policy: RetryPolicy
    private let report: @Sendable (PictureWorkers.Event) -> Void
    private let foundWork: () -> Void
    private var hasJustListed = false

    /// Attempts after which a picture is given up.
    private static let attempts = 4
    /// Interruptions in a row after which a picture is given up: it may be their cause.
    private static let maxInterruptions = 4

    /// - Parameter foundWork: called at the beginning of each work; there may be more for other threads.
    init(
        _ settings: PictureSettings, _ database: Database, _ fetcher: Fetcher, _ limits: PictureLimits,
        decoding: CountingSemaphore, report: @escaping @Sendable (PictureWorkers.Event) -> Void,
        foundWork: @escaping () -> Void
    ) {
        self.settings = settings
        self.fetcher = fetcher
        self.decoding = decoding
        self.report = report
        self.foundWork = foundWork
        queue = PictureQueue(
            database: database, lease: settings.lease, parallel: settings.parallel, mode: settings.mode)
        store = PictureStore(database: database, settings: settings)
        folder = PictureFolder(path: settings.folder)
        reader = PictureReader(program: settings.program, limits: limits)
        policy = RetryPolicy(base: .seconds(settings.retryBase), attempts: Self.attempts)
    }

    enum Step {
        case done, nothingToDo
        /// The server itself cannot read or write pictures. The job was handed back.
        case outage
    }

    /// Works on one job. Listings and pictures alternate while there are both, so that the many listings of one user do
    /// not delay the pictures of others.
    ///
    /// - Parameter during: called with a picture's job and the work on it.
    func step(
        during: (PictureJob, () throws(PostgresError) -> Void) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Step {
        if !hasJustListed, try listNext() { return .done }
        hasJustListed = false
        // While pictures are switched off, their jobs wait.
        guard settings.mode != .off, let job = try queue.takeJob() else {
            return try listNext() ? .done : .nothingToDo
        }
        foundWork()
        var isOutage = false
        try during(job) { () throws(PostgresError) in isOutage = try !fetch(job) }
        return isOutage ? .outage : .done
    }

    /// Ends the process that reads pictures, because it is not needed for a while.
    func endProcess() { reader.endProcess() }

    /// Lists the pictures of the next link.
    ///
    /// - Returns: false when no link waits for it.
    private func listNext() throws(PostgresError) -> Bool {
        guard let listing = try queue.takeListing() else { return false }
        hasJustListed = true
        foundWork()
        try list(listing)
        return true
    }

    // MARK: - Listings

    private func list(_ listing: PictureListing) throws(PostgresError) {
        guard settings.mode != .off, listing.interruptions < Self.maxInterruptions,
            let shown = try store.shown(by: listing)
        else { return try store.giveUp(listing) }
        try store.list(shown, listing)
    }

    // MARK: - A picture

    /// Fetches, decodes and stores one picture, or handles its failure.
    ///
    /// - Returns: false where the server itself could not read or write pictures.
    private func fetch(_ job: PictureJob) throws(PostgresError) -> Bool {
        guard let wanted = try store.wanted(by: job) else {
            try store.abandon(job)
            return true
        }
        if let hash = wanted.known, try store.reuse(job, hash: hash) { return true }
        guard job.interruptions < Self.maxInterruptions else { return try retryOrGiveUp(job, .interrupted) }
        let picture: RecodedPicture
        do throws(PictureFailure) {
            // Nothing is fetched that could not be stored.
            guard folder.exists else { throw PictureFailure(storage: "The folder of the pictures does not exist.") }
            try reader.start()
            picture = try decode(try download(wanted), for: wanted.use)
        } catch {
            return try retryOrGiveUp(job, error)
        }
        do {
            try store(picture, job)
            return true
        } catch let error as PostgresError {
            throw error
        } catch {
            return try retryOrGiveUp(job, PictureFailure(storage: "The server could not write the picture: \(error)."))
        }
    }

    private func download(_ wanted: PictureStore.Wanted) throws(PictureFailure) -> [UInt8] {
        guard let address = AbsoluteURL.resolve(wanted.source, against: wanted.page) else { throw .invalidURL }
        let answer: FetchedPage
        do throws(FetchError) { answer = try fetcher.fetch(address) } catch { throw PictureFailure(error) }
        guard !answer.body.isEmpty else { throw PictureFailure(.notAPicture) }
        return answer.body
    }

    private func decode(_ bytes: [UInt8], for use: PictureUse) throws(PictureFailure) -> RecodedPicture {
        decoding.acquire()
        defer { decoding.release() }
        return try reader.read(bytes, for: use)
    }

    /// Writes the file first, then its row: a process that is killed between them leaves a file that the sweep deletes.
    private func store(_ picture: RecodedPicture, _ job: PictureJob) throws {
        let hash = Digest.hex(Digest.sha256(picture.bytes))
        if try store.reuse(job, hash: hash) { return }
        let address = PictureAddress()
        let existing = try store.file(with: hash)
        if try !(existing.map { try folder.link($0, as: address) } ?? false) {
            try folder.write(picture.bytes, to: address)
        }
        // An error does not tell whether the row was committed: a file without a row is better than a row without a
        // file.
        let stored = try store.store(picture, hash: hash, at: address, job)
        if stored != address.path { _ = folder.remove(address) }
    }

    /// Puts a failed job back, or gives the picture up.
    ///
    /// - Returns: false where the server itself failed.
    private func retryOrGiveUp(_ job: PictureJob, _ failure: PictureFailure) throws(PostgresError) -> Bool {
        if failure.isServerFailure {
            report(.outage(why: failure.message))
            try queue.handBack(job, after: .seconds(settings.retryBase), failure)
            return false
        }
        let decision = policy.decide(
            afterAttempt: job.attempt, isRetryable: failure.isRetryable,
            retryAfter: failure.retryAfter.map { .seconds(min($0, 86_400)) }, chance: .random(in: 0...1))
        switch decision {
        case .retry(let delay): try store.fail(job, failure, retryAfter: delay)
        case .bury: try store.fail(job, failure, retryAfter: nil)
        }
        return true
    }
}
