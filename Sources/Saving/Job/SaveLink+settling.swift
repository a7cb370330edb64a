import Jobs
import Readability
import Telemetry

/// How a job ends that did not succeed.
extension SaveLink {
    /// Puts a failed job back or gives it up, as the policy decides, with the reason on the link.
    func settle(
        _ job: Job, _ failure: SaveError.Failure, _ saved: SavedURL, _ store: LinkStore
    ) throws(SaveError) {
        let failure = withInterstitial(failure)
        let decision = policy.decide(
            afterAttempt: job.attempt, isRetryable: failure.isRetryable,
            retryAfter: failure.retryAfter.map { .seconds($0) }, chance: Double.random(in: 0...1))
        if decision == .bury, job.kind.isRecheck {
            try store.storeMissed(saved, failure.tellsPageIsGone ? .isBroken(failure.shown ?? failure.cause) : .unknown)
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
    func settle(
        _ job: Job, _ excess: Quotas.Excess, _ state: StoredState, _ store: LinkStore
    ) throws(SaveError) {
        switch excess {
        case .storage(let failure): try settle(job, failure, state.saved, store)
        case .fetches(let failure, let wait):
            // Spread over twenty minutes, since not all postponed jobs fit into the quota then.
            let wait = max(wait, .seconds(600)) + .seconds(Double.random(in: 0...1_200))
            try store.postpone(state.saved, for: wait, job.kind == .save ? failure.cause : nil)
        }
    }

    /// Settles a failed job whose stored state was not read.
    func settle(_ job: Job, _ failure: SaveError.Failure, _ store: LinkStore) throws(SaveError) {
        guard let saved = try store.savedURL() else { return try store.abandon() }
        try settle(job, failure, saved, store)
    }

    /// The ending of a job that could not be settled: it goes back without counting as an attempt, unless the lease was
    /// lost.
    func ending(of job: Job, after error: SaveError) -> JobEnding {
        log(.jobLost(link: job.linkID, why: error.description))
        return switch error {
        case .lostLease: .settled
        case .outage(let why): .handedBack(after: policy.base, why)
        case .failed(let failure): .handedBack(after: policy.base, failure.cause)
        }
    }

    /// The failure with what the site asks for, where the page of its refusal shows an interstitial.
    private func withInterstitial(_ failure: SaveError.Failure) -> SaveError.Failure {
        guard failure.shown == nil, let page = failure.page, let missing = (try? readPage(page))?.missing,
            Self.explaining.contains(missing)
        else { return failure }
        var failure = failure
        failure.shown = JobFailure(reason: missing.code, message: missing.sentence(hasText: false))
        return failure
    }

    private static let explaining: [MissingArticle] = [
        .behind(.botChallenge), .behind(.loginWall), .behind(.subscriptionWall), .behind(.consentWall),
    ]
}
