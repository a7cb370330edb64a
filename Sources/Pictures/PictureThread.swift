import Crypto
import HTTPFetch
import Jobs
import Links
import PictureCoding
import Postgres
import Threads

/// What one thread does: lists what links show, and brings pictures.
final class PictureThread {
    private let settings: PictureSettings
    private let queue: PictureQueue
    private let store: PictureStore
    private let folder: PictureFolder
    private let reader: PictureReader
    private let fetcher: Fetcher
    private let turns: CountingSemaphore
    private let policy: RetryPolicy
    private let report: @Sendable (PictureWorkers.Event) -> Void

    /// Tries of one picture.
    private static let attempts = 4
    /// Interruptions in a row after which a picture is given up: it may be what interrupts.
    private static let mostInterruptions = 4

    init(
        _ settings: PictureSettings, _ database: Database, _ fetcher: Fetcher, _ limits: PictureLimits, turns: CountingSemaphore,
        report: @escaping @Sendable (PictureWorkers.Event) -> Void
    ) {
        self.settings = settings
        self.fetcher = fetcher
        self.turns = turns
        self.report = report
        queue = PictureQueue(database: database, lease: settings.lease)
        store = PictureStore(database: database, settings: settings)
        folder = PictureFolder(path: settings.folder)
        reader = PictureReader(program: settings.program, limits: limits)
        policy = RetryPolicy(base: .seconds(settings.retryBase), attempts: Self.attempts)
    }

    enum Step {
        case done, nothingToDo
        /// Something of ours is missing. What was taken has been handed back.
        case outage
    }

    /// Does one piece of work. Lists first: they are short, and tell what else there is.
    ///
    /// - Parameter during: told of a job while it is worked on.
    func step(during: (PictureJob, () throws(PostgresError) -> Void) throws(PostgresError) -> Void) throws(PostgresError) -> Step {
        if let survey = try queue.takeSurvey() {
            try list(survey)
            return .done
        }
        // Switched off, what was asked for before waits.
        guard settings.mode != .off, let job = try queue.takeJob() else {
            reader.rest()
            return .nothingToDo
        }
        var isOutage = false
        try during(job) { () throws(PostgresError) in isOutage = try !bring(job) }
        return isOutage ? .outage : .done
    }

    // MARK: - Lists

    private func list(_ survey: PictureListing) throws(PostgresError) {
        guard settings.mode != .off, survey.interruptions < Self.mostInterruptions, let shown = try store.shown(by: survey) else {
            return try store.giveUp(survey)
        }
        try store.list(shown, survey)
    }

    // MARK: - A picture

    /// - Returns: false where something of ours kept it from being read or written.
    private func bring(_ job: PictureJob) throws(PostgresError) -> Bool {
        guard let wanted = try store.wanted(by: job) else {
            try store.abandon(job)
            return true
        }
        if let hash = wanted.known, try store.keepKnown(job, hash: hash) { return true }
        guard job.interruptions < Self.mostInterruptions else {
            return try settle(job, PictureFailure("interrupted", "The server was stopped each time it read this picture.", isRetryable: false))
        }
        let picture: RecodedPicture
        do throws(PictureFailure) {
            // No site is asked for what could not be kept.
            guard folder.isThere else { throw PictureFailure(storage: "The folder of the pictures is not there.") }
            try reader.start()
            picture = try read(try fetch(wanted), for: wanted.use)
        } catch {
            return try settle(job, error)
        }
        do {
            try keep(picture, job)
            return true
        } catch let error as PostgresError {
            throw error
        } catch {
            return try settle(job, PictureFailure(storage: "The server could not write the picture: \(error)."))
        }
    }

    private func fetch(_ wanted: PictureStore.Wanted) throws(PictureFailure) -> [UInt8] {
        guard let address = AbsoluteURL.resolve(wanted.source, against: wanted.page) else {
            throw PictureFailure("invalid_url", "The picture's address is none of the web.", isRetryable: false)
        }
        let answer: FetchedPage
        do throws(FetchError) { answer = try fetcher.fetch(address) } catch { throw PictureFailure(error) }
        guard !answer.body.isEmpty else { throw PictureFailure(.notAPicture) }
        return answer.body
    }

    private func read(_ bytes: [UInt8], for use: PictureUse) throws(PictureFailure) -> RecodedPicture {
        turns.acquire()
        defer { turns.release() }
        return try reader.read(bytes, for: use)
    }

    /// The file first, then its row: one that is killed between them leaves a file that is swept up.
    private func keep(_ picture: RecodedPicture, _ job: PictureJob) throws {
        let hash = Digest.hex(Digest.sha256(picture.bytes))
        if try store.keepKnown(job, hash: hash) { return }
        let address = PictureAddress()
        let existing = try store.file(with: hash)
        if try !(existing.map { try folder.link($0, as: address) } ?? false) { try folder.write(picture.bytes, to: address) }
        // Where this throws, whether it was committed is not known: a file without a row is better than a row without a file.
        let kept = try store.keep(picture, hash: hash, at: address, job)
        if kept != address.path { _ = folder.remove(address) }
    }

    /// - Returns: false where the failure is ours.
    private func settle(_ job: PictureJob, _ failure: PictureFailure) throws(PostgresError) -> Bool {
        if failure.isOurs {
            report(.outage(why: failure.message))
            try queue.handBack(job, seconds: settings.retryBase, failure)
            return false
        }
        let decision = policy.decide(
            afterAttempt: job.attempt, isRetryable: failure.isRetryable, retryAfter: failure.retryAfter.map { .seconds(min($0, 86_400)) },
            chance: .random(in: 0...1))
        switch decision {
        case .retry(let delay): try store.fail(job, failure, retryAfter: delay)
        case .bury: try store.fail(job, failure, retryAfter: nil)
        }
        return true
    }
}
