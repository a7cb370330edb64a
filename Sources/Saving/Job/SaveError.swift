import Jobs
import Postgres

/// The reason a step failed, and whether it may be tried again.
enum SaveError: Error, Sendable, Equatable {
    /// The page, or the way to it, failed.
    case failed(Failure)
    /// The server itself failed. The job goes back without counting as an attempt.
    case outage(JobFailure)
    /// The lease was lost: another runner has the job, or the link has another URL.
    case lostLease

    struct Failure: Sendable, Equatable {
        /// The actual reason: for the admin, and for the decision whether to retry.
        var cause: JobFailure
        /// What the link's owner sees; nil: the cause.
        var shown: JobFailure?
        var isRetryable: Bool
        /// The wait in seconds that the site asked for.
        var retryAfter: Int?
        /// The host whose response failed.
        var host: String?
        /// The page that the site showed with its refusal.
        var page: Page?
        /// The part of the page that was received before the transfer failed.
        var beginning: Page?
        /// Whether the page is gone: access was not denied, and the server itself did not fail.
        var tellsPageIsGone = false
    }
}

extension SaveError: CustomStringConvertible {
    var description: String {
        switch self {
        case .lostLease: "the lease was lost"
        case .outage(let why): "\(why.reason): \(why.message)"
        case .failed(let failure): "\(failure.cause.reason): \(failure.cause.message)"
        }
    }
}

extension SaveError {
    /// The error of a failed transaction. PostgreSQL's errors about values concern the page; all others concern the
    /// server.
    init(database error: PostgresError) {
        switch error {
        case .refused(let refusal) where refusal.sqlState == JobQueue.lostLease: self = .lostLease
        case .refused(let refusal) where ["22", "23", "54"].contains(refusal.sqlState.prefix(2)):
            // Classes 22, 23 and 54 of PostgreSQL's appendix A: bad data, a violated constraint, an exceeded limit.
            self = .unstorable("\(refusal.sqlState) \(refusal.message)")
        case .nulInText: self = .unstorable("text with a NUL character")
        case .refused(let refusal):
            self = .outage(JobFailure(reason: "database", message: "\(refusal.sqlState) \(refusal.message)"))
        case .unavailable(let reason), .broken(let reason):
            self = .outage(JobFailure(reason: "database", message: reason))
        }
    }

    private static func unstorable(_ why: String) -> SaveError {
        .failed(
            Failure(
                cause: JobFailure(reason: "not_stored", message: "The database rejected the page: \(why)"),
                shown: JobFailure(
                    reason: "not_stored",
                    message: "The page was read but could not be stored. The server's log has the details."),
                isRetryable: true))
    }

    /// The failure of a job that was interrupted too often.
    static func interrupted(times: Int) -> Failure {
        Failure(
            cause: JobFailure(
                reason: "interrupted",
                message: "The server stopped \(times) times in a row while it worked on this page, and gave up."),
            isRetryable: false)
    }

    /// The error of a page that could not be read. A page whose process crashed has used an attempt; the page may not
    /// have been the cause.
    init(_ failure: ReaderPool.Failure) {
        switch failure {
        case .unavailable(let why): self = .outage(JobFailure(reason: "reader", message: why))
        case .crashed(let how):
            self = .failed(
                Failure(
                    cause: JobFailure(reason: Self.crashed, message: "The process that read the page \(how)."),
                    shown: JobFailure(
                        reason: Self.crashed,
                        message: "This page could not be read. The server's log has the details."),
                    isRetryable: true))
        }
    }

    private static let crashed = "reader_crashed"
}
