import CCurl
import Glibc
import Links

/// One fetch: a URL, the hops it leads through, and its end. Owns one libcurl handle, whose cookie engine lives exactly as
/// long as the chain. Used on the event loop's thread only; libcurl's callbacks come on that thread too.
final class RedirectChain {
    typealias Completion = @Sendable (Result<FetchedPage, FetchError>) -> Void
    typealias Instant = ContinuousClock.Instant

    /// What the loop does with a chain whose transfer has ended.
    enum Outcome {
        /// The handle is set up for another transfer.
        case again
        case ended(Result<FetchedPage, FetchError>)
    }

    let easy: UnsafeMutableRawPointer
    let complete: Completion
    private let settings: FetchSettings
    private let handleOptions: HandleOptions
    private let gate: ConnectGuard
    private let request: FetchRequest
    private let started: Instant

    /// Kinds whose bodies are loaded.
    private let wanted: Set<ContentKind>

    private var url: String
    private var hops = 0
    private var asBrowser = false
    /// Nil where the site is asked for the page whatever we have of it.
    private var conditionalHeaders: UnsafeMutablePointer<curl_slist>?
    /// A copy of the page that the chain is on its way to.
    private var copy: FetchedPage?
    /// Hosts that have been asked, with their ports.
    private var asked: Set<String> = []
    private var cookiesBefore: [String] = []
    private var exchange: Exchange
    private var lastProgress: Instant
    private var downloaded = 0
    /// Bytes of the body as they came, with what frames its chunks.
    private var onWire = 0
    /// Set when the head said that the body does not matter: its rest is not waited for longer than this.
    private var drainDeadline: Instant?

    /// Nil only when memory is exhausted.
    init?(
        request: FetchRequest, settings: FetchSettings, handleOptions: HandleOptions, now: Instant, complete: @escaping Completion
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.complete = complete
        self.settings = settings
        self.handleOptions = handleOptions
        gate = ConnectGuard(rules: settings.rules, isProxied: settings.proxy != nil)
        self.request = request
        url = AbsoluteURL.trimmed(request.url)
        wanted = request.wantsBody ? settings.wanted : []
        exchange = Exchange(limits: settings.limits, wanted: wanted)
        started = now
        lastProgress = now
        handleOptions.apply(to: easy, gate: gate, chain: self)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(conditionalHeaders)
    }

    // MARK: - The hops

    /// Sets the handle up for the chain's first URL.
    func begin(now: Instant) throws(FetchError) {
        do throws(FetchError) {
            try prepare(now: now)
        } catch {
            throw placed(error, now: now)
        }
    }

    /// Sets the handle up for the current URL.
    private func prepare(now: Instant) throws(FetchError) {
        while let target = heldTarget() { try advance(to: target) }
        let wire = try CurlURL(url)
        asked.insert("\(wire.host):\(wire.port)")
        gate.beginHop(to: wire.host)
        if settings.proxy != nil, case .refused(let why) = settings.rules.judgeBeforeProxy(wire) {
            throw FetchError(.blockedAddress, why.sentence)
        }
        if wire.neverResolves {
            throw FetchError(.dnsError, "There is no site named \(wire.host).")
        }
        exchange = Exchange(limits: settings.limits, wanted: wanted)
        downloaded = 0
        onWire = 0
        drainDeadline = nil
        lastProgress = now
        cookiesBefore = cookies()
        let former = conditionalHeaders
        conditionalHeaders = request.copy.flatMap { $0.url == url ? handleOptions.headers(asBrowser: asBrowser, and: $0.conditions) : nil }
        handleOptions.address(easy, to: wire.text, asBrowser: asBrowser, headers: conditionalHeaders)
        curl_slist_free_all(former)
    }

    /// Decides what follows from a transfer that ended with `code`.
    func transferEnded(_ code: CURLcode, now: Instant) -> Outcome {
        if let failure = failure(of: code) { return ended(brokenOff(failure, now: now), now: now) }
        exchange.finish()
        let step = NextStep.after(
            exchange, url: url, askedAsBrowser: asBrowser, isConditional: conditionalHeaders != nil,
            cookiesChanged: cookies() != cookiesBefore, now: time(nil))
        do throws(FetchError) {
            switch step {
            case .fail(var error):
                error.page = exchange.refusalPage
                throw error
            case .followCanonical(let target) where copy == nil:
                copy = page(now: now)
                try advance(to: target)
            case .done, .followCanonical:
                // A file in the place of the page itself, or nothing, is not what was meant.
                let isPage = exchange.kind == .html && !exchange.body.isEmpty || exchange.head.status == 304
                let kept = isPage ? nil : keptCopy(now: now)
                return .ended(.success(kept ?? page(now: now)))
            case .askAsBrowser:
                asBrowser = true
            case .follow(let target):
                try advance(to: target)
            }
            try prepare(now: now)
            return .again
        } catch {
            return ended(error, now: now)
        }
    }

    /// A copy is better than nothing.
    private func ended(_ error: FetchError, now: Instant) -> Outcome {
        .ended(keptCopy(now: now).map(Result.success) ?? .failure(placed(error, now: now)))
    }

    private func keptCopy(now: Instant) -> FetchedPage? {
        guard var kept = copy else { return nil }
        kept.hops = hops
        kept.seconds = seconds(now)
        return kept
    }

    /// Where the URL leads, as it says itself. Addresses of pictures are no links of a newsletter: a script that hands out
    /// pictures is asked for them. And who sends us to another host that is to send us back wants us to have been there, or
    /// does not let us in without.
    private func heldTarget() -> String? {
        guard settings.wanted.contains(.html), let target = LinkWrappers.standard.target(of: url), let wire = try? CurlURL(target),
            !asked.contains("\(wire.host):\(wire.port)")
        else { return nil }
        return target
    }

    private func advance(to target: String) throws(FetchError) {
        guard hops < settings.limits.hops else {
            throw FetchError(.tooManyRedirects, "The address was passed on more than \(settings.limits.hops) times.")
        }
        hops += 1
        url = target
    }

    // MARK: - Time

    /// When this chain's patience ends, if nothing moves until then.
    var deadline: Instant {
        let limits = settings.limits
        let patience = min(started + limits.totalTime, lastProgress + limits.timeWithoutProgress)
        return min(patience, drainDeadline ?? patience)
    }

    /// The deadline has passed: an unwanted body is left unread, anything else is too late.
    func deadlinePassed(now: Instant) -> Outcome {
        if let drainDeadline, now >= drainDeadline, now < started + settings.limits.totalTime {
            return transferEnded(CURLE_OK, now: now)
        }
        let message =
            now >= started + settings.limits.totalTime
            ? "The site took longer than \(settings.limits.totalTime) to send the page."
            : "The site sent nothing for \(settings.limits.timeWithoutProgress)."
        return ended(brokenOff(FetchError(.timeout, message), now: now), now: now)
    }

    /// Longest wait for the rest of a body nobody wants.
    private static let drainTime: Duration = .milliseconds(500)

    // MARK: - From libcurl's callbacks; each answers whether to go on

    func receive(headerLine: UnsafeBufferPointer<UInt8>) -> Bool {
        lastProgress = .now
        let goesOn = exchange.receive(headerLine: headerLine)
        if exchange.needsNoBody, drainDeadline == nil { drainDeadline = lastProgress + RedirectChain.drainTime }
        return goesOn
    }

    func receive(body: UnsafeBufferPointer<UInt8>) -> Bool {
        lastProgress = .now
        return exchange.receive(body: body)
    }

    /// Judged when libcurl next asks how it goes.
    func receive(onWire count: Int) {
        lastProgress = .now
        onWire += count
    }

    func receive(downloaded bytes: Int) -> Bool {
        if bytes != downloaded {
            downloaded = bytes
            lastProgress = .now
        }
        return exchange.receive(downloaded: max(bytes, onWire))
    }

    // MARK: - Ends

    /// Why the transfer failed; nil when its answer is complete as far as we want it.
    private func failure(of code: CURLcode) -> FetchError? {
        if case .tooLarge(let message) = exchange.stop { return FetchError(.tooLarge, message) }
        if exchange.stop == .overpacked { return FetchError(.badEncoding, "The page came packed several times over.") }
        if exchange.stop == .enough || exchange.needsNoBody { return nil }
        if code == CURLE_OK {
            // libcurl takes a connection that closes among the headers for a finished answer.
            return exchange.head.isComplete ? nil : FetchError(CURLE_GOT_NOTHING, hasAnswered: true)
        }
        if gate.opened == 0, let refusal = gate.refusal, !exchange.head.isComplete {
            return FetchError(.blockedAddress, refusal.sentence)
        }
        return FetchError(code, hasAnswered: exchange.head.status > 0)
    }

    private func page(now: Instant) -> FetchedPage {
        FetchedPage(
            requestedURL: request.url, finalURL: url, status: exchange.head.status,
            contentType: exchange.head.contentType?.mediaType, charsetLabel: exchange.head.contentType?.charset,
            kind: exchange.kind, body: wanted.contains(exchange.kind) ? exchange.body : [], hops: hops,
            seconds: seconds(now), validators: Validators(url: url, etag: exchange.head.etag, lastModified: exchange.head.lastModified))
    }

    /// The error with the place it happened at.
    private func placed(_ error: FetchError, now: Instant) -> FetchError {
        var error = error
        error.url = url
        error.hops = hops
        error.seconds = seconds(now)
        if error.status == nil, exchange.head.status > 0 { error.status = exchange.head.status }
        return error
    }

    /// The error of an answer that did not come to its end, with what came of a page.
    private func brokenOff(_ error: FetchError, now: Instant) -> FetchError {
        guard (200...299).contains(exchange.head.status) else { return error }
        exchange.finish()
        var (error, page) = (error, page(now: now))
        page.body = Array(page.body.prefix(Exchange.glancedBytes))
        if page.isHTML, !page.body.isEmpty { error.beginning = page }
        return error
    }

    private func seconds(_ now: Instant) -> Double { (now - started) / .seconds(1) }

    /// The chain's cookies, in libcurl's own notation.
    private func cookies() -> [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard ccurl_get_list(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        var cookies: [String] = []
        var entry = list
        while let current = entry {
            if let text = current.pointee.data { cookies.append(String(cString: text)) }
            entry = current.pointee.next
        }
        return cookies.sorted()
    }
}
