import HTTPFetch
import Jobs
import Postgres
import ReaderProcess
import Telemetry

/// Works on the jobs of saved links, from the lease to the stored article. Each thread has its own, with its own
/// database connection.
final class SaveLink {
    typealias Resolve = (FetchRequest) throws(SaveError) -> Page?

    let database: Database
    /// Fetches a page; nil where the copy that the request names has not changed. The only step that uses the network.
    let resolve: Resolve
    let readPage: ReadPage
    let readDocument: ReadDocument
    let retention: SourceRetention
    let hosts: HostRateLimiter
    let crawlDelays: CrawlDelayCache
    let quotas: Quotas
    let policy: RetryPolicy
    let log: Log

    init(
        _ database: Database, resolve: @escaping Resolve, readPage: ReadPage,
        documents: String = "documents", limits: ReaderLimits = ReaderLimits(),
        retention: SourceRetention = SourceRetention(),
        hosts: HostRateLimiter = .unlimited, crawlDelays: CrawlDelayCache = .none, quotas: Quotas = Quotas(),
        policy: RetryPolicy,
        log: Log
    ) {
        self.database = database
        self.resolve = resolve
        self.readPage = readPage
        readDocument = ReadDocument(folder: documents, readPage, limits)
        self.retention = retention
        self.hosts = hosts
        self.crawlDelays = crawlDelays
        self.quotas = quotas
        self.policy = policy
        self.log = log
    }

    /// Works on a leased job. Each transaction is one function of ``LinkStore``.
    func callAsFunction(_ job: Job) -> JobEnding {
        let store = LinkStore(database, job: job, retention: retention)
        do throws(SaveError) {
            // The stored state may be what interrupts the job, so it is not read again.
            guard job.interruptions < policy.interruptions else {
                try storeFailure(of: job, SaveError.interrupted(times: job.interruptions), store)
                return .leaseEnded
            }
            let timer = StepTimer()
            guard let state = try loadState(job, store, timer) else { return .leaseEnded }
            if job.kind == .save, state.isSaved {
                try store.finish()
                return .leaseEnded
            }
            if let excess = state.excess, !((state.saved.isDocument || state.hasWholeArticle) && excess.isOfFetches) {
                try handleExceededQuota(job, excess, state, store)
                return .leaseEnded
            }
            try atHost(of: state, job, store) { () throws(SaveError) -> SaveError.Failure? in
                do throws(SaveError) {
                    if job.kind == .check {
                        try check(job, state, store, timer)
                    } else {
                        try save(job, state, store, timer)
                    }
                    return nil
                } catch .failed(let failure) {
                    try retryOrBury(job, failure, state.saved, store)
                    return failure
                }
            }
            return .leaseEnded
        } catch {
            return ending(of: job, after: error)
        }
    }

    /// Reads what is stored of the link.
    ///
    /// - Returns: nil where that has ended the job: the link was deleted, or its stored state cannot be read.
    private func loadState(_ job: Job, _ store: LinkStore, _ timer: StepTimer) throws(SaveError) -> StoredState? {
        do throws(SaveError) {
            let state = try timer.time("recall") { () throws(SaveError) in try store.loadState(quotas) }
            if let state { return state }
        } catch .failed(let failure) {
            try storeFailure(of: job, failure, store)
            return nil
        }
        try store.finish()
        return nil
    }

    /// Runs `work` when the rate limit of the URL's host allows it, else postpones the job. Jobs that fetch nothing are
    /// not limited.
    ///
    /// - Parameter work: returns the failure that it has stored.
    private func atHost(
        of state: StoredState, _ job: Job, _ store: LinkStore, work: () throws(SaveError) -> SaveError.Failure?
    ) throws(SaveError) {
        let saved = state.saved
        guard job.kind.fetches, !state.hasWholeArticle, let host = HostRateLimiter.host(of: saved.url) else {
            _ = try work()
            return
        }
        // The pause is known before the first page is requested, so that two rechecks do not begin together.
        let recheckPause = job.kind.isRecheck ? crawlDelays.delay(for: saved.url) : nil
        let decision = hosts.requestFetch(
            host, of: job.userID, isAwaited: job.isAwaited, recheckPause: recheckPause)
        if case .later(let delay) = decision { return try store.postpone(saved, for: delay) }
        var failure: SaveError.Failure?
        // A Retry-After of another host, to which this one has redirected, is not this host's.
        defer { hosts.fetchEnded(host, retryAfter: failure?.host == host ? failure?.retryAfter : nil) }
        failure = try work()
    }

    /// Checks whether the page still exists. The article is left alone.
    private func check(_ job: Job, _ state: StoredState, _ store: LinkStore, _ timer: StepTimer) throws(SaveError) {
        let request = FetchRequest(state.saved.url, copy: state.copy, wantsBody: false)
        let page = try timer.time("fetch") { () throws(SaveError) in try resolve(request) }
        try store.storeSuccessfulCheck(state, steps: timer.steps)
        log(
            .jobDone(
                link: job.linkID, attempt: job.attempt, outcome: page == nil ? "not modified" : "there",
                milliseconds: timer.steps))
    }

    /// Fetches and reads the link's pages, chooses one, and stores it.
    private func save(_ job: Job, _ state: StoredState, _ store: LinkStore, _ timer: StepTimer) throws(SaveError) {
        var pages: [ExtractedPage] = []
        var failure: SaveError.Failure?
        do throws(SaveError) {
            if state.saved.isDocument {
                if let page = try document(of: state, store, timer) { pages.append(page) }
            } else if job.kind.fetches, !state.hasWholeArticle, let page = try fetch(state, timer) {
                pages.append(try readFetched(page, state, timer))
            }
        } catch .failed(let reason) {
            failure = reason
        }
        for page in state.unread {
            do throws(SaveError) { pages.append(try read(page, timer)) } catch .failed(let reason) {
                failure = failure ?? reason
            }
        }
        pages = try SaveOutcome.usable(pages, failure)
        let origin = try state.origin.flatMap { page throws(SaveError) in try readAgain(page, timer) }
        let outcome = SaveOutcome(of: pages, origin: origin, state, isAwaited: job.kind == .save)
        let link = outcome.chosen.map { page in timer.time("canonicalise") { CanonicalLink(page.page) } }
        try timer.time("store") { () throws(SaveError) in try store.store(link, state, outcome, steps: timer.steps) }
        log(.jobDone(link: job.linkID, attempt: job.attempt, outcome: outcome.description, milliseconds: timer.steps))
    }

    /// The link's document; nil where this extractor has read it. Nothing is fetched for it.
    private func document(
        of state: StoredState, _ store: LinkStore, _ timer: StepTimer
    ) throws(SaveError) -> ExtractedPage? {
        if let article = state.article, !article.isOfOlderExtractor { return nil }
        guard let document = try store.document(in: readDocument.folder) else {
            throw .failed(
                SaveError.Failure(
                    cause: JobFailure(reason: "no_document", message: "There is no file with this hash."),
                    isRetryable: false))
        }
        return try timer.time("read") { () throws(SaveError) in try readDocument(document, url: state.saved.url) }
    }

    private func fetch(_ state: StoredState, _ timer: StepTimer) throws(SaveError) -> Page? {
        try timer.time("fetch") { () throws(SaveError) in try resolve(FetchRequest(state.saved.url, copy: state.copy)) }
    }

    /// Reads all of a page if the user wants that. What it shows instead of the page, such as a wall, is not the page.
    private func readFetched(_ page: Page, _ state: StoredState, _ timer: StepTimer) throws(SaveError) -> ExtractedPage
    {
        let extracted = try read(page, timer)
        guard state.isWholePage, page.html != nil, extracted.missing == nil else { return extracted }
        var whole = page
        whole.isArticle = true
        return try read(whole, timer)
    }

    private func read(_ page: Page, _ timer: StepTimer) throws(SaveError) -> ExtractedPage {
        try timer.time("read") { () throws(SaveError) in try readPage(page) }
    }

    /// The page of the existing article, read by this extractor; nil where reading fails.
    private func readAgain(_ page: Page, _ timer: StepTimer) throws(SaveError) -> ExtractedPage? {
        do throws(SaveError) { return try read(page, timer) } catch .failed { return nil }
    }
}

extension Job.Kind {
    /// Whether jobs of this kind use the network.
    var fetches: Bool {
        switch self {
        case .save, .refresh, .check: true
        case .extract, .place: false
        }
    }
}
