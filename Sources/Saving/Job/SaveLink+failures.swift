import Jobs
import Readability
import Telemetry

/// How an unsuccessful job ends.
extension SaveLink {
    /// Puts a failed job back or gives it up, as the policy decides, with the reason on the link.
    func retryOrBury(
        _ job: Job, _ failure: SaveError.Failure, _ saved: SavedURL, _ store: LinkStore
    ) throws(SaveError) {
        let failure = withInterstitial(failure)
        let decision = policy.decide(
            afterAttempt: job.attempt, isRetryable: failure.isRetryable,
            retryAfter: failure.retryAfter.map { .seconds($0) }, chance: Double.random(in: 0...1))
        if decision == .bury, job.kind.isRecheck {
            try store.storeFailedCheck(
                saved, failure.tellsPageIsGone ? .isBroken(failure.shown ?? failure.cause) : .unknown)
        } else {
            let beginning = job.kind == .save ? failure.beginning.flatMap { try? readPage($0) } : nil
            try store.storeFailure(saved, failure.cause, shown: failure.shown, beginning: beginning, decision)
        }
        log(
            .jobFailed(
                link: job.linkID, attempt: job.attempt, reason: failure.cause.reason, message: failure.cause.message,
                next: "\(decision)"))
    }

    /// Fails a job whose user has no storage left, or postpones one whose user has fetched enough pages for now.
    func handleExceededQuota(
        _ job: Job, _ excess: Quotas.Excess, _ state: StoredState, _ store: LinkStore
    ) throws(SaveError) {
        switch excess {
        case .storage(let failure): try retryOrBury(job, failure, state.saved, store)
        case .fetches(let failure, let wait):
            // Spread over twenty minutes, since not all postponed jobs fit into the quota then.
            let wait = max(wait, .seconds(600)) + .seconds(Double.random(in: 0...1_200))
            try store.postpone(state.saved, for: wait, job.kind == .save ? failure.cause : nil)
        }
    }

    /// Retries or buries a failed job whose stored state was not read.
    func storeFailure(of job: Job, _ failure: SaveError.Failure, _ store: LinkStore) throws(SaveError) {
        guard let saved = try store.savedURL() else { return try store.finish() }
        try retryOrBury(job, failure, saved, store)
    }

    /// The ending of a job whose result could not be stored: the job is handed back without counting as an attempt,
    /// unless the lease was lost.
    func ending(of job: Job, after error: SaveError) -> JobEnding {
        log(.jobLost(link: job.linkID, why: error.description))
        return switch error {
        case .lostLease: .leaseEnded
        case .outage(let why): .handedBack(after: policy.base, why)
        case .failed(let failure): .handedBack(after: policy.base, failure.cause)
        }
    }

    /// Adds what the site requires to a failure, if the page that came with the refusal is an interstitial.
    private func withInterstitial(_ failure: SaveError.Failure) -> SaveError.Failure {
        guard failure.shown == nil, let page = failure.page, let missing = (try? readPage(page))?.missing,
            Self.shownInterstitials.contains(missing)
        else { return failure }
        var failure = failure
        failure.shown = JobFailure(reason: missing.code, message: missing.sentence(hasText: false))
        return failure
    }

    private static let shownInterstitials: [MissingArticle] = [
        .behind(.botChallenge), .behind(.loginWall), .behind(.subscriptionWall), .behind(.consentWall),
    ]
}
