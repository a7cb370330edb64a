import CCurl
import Glibc
import Links

/// One fetch: a URL, the hops that follow from it, and the result. Owns one libcurl handle, whose cookies live exactly
/// as long as the chain. Only the event loop's thread uses it. libcurl's callbacks run on that thread too.
final class RedirectChain {
    typealias Completion = @Sendable (Result<FetchedPage, FetchError>) -> Void
    typealias Instant = ContinuousClock.Instant

    /// What the loop does after a chain's transfer has ended.
    enum Outcome {
        /// Starts another transfer, for which the handle is set up.
        case nextTransfer
        case ended(Result<FetchedPage, FetchError>)
    }

    let easy: UnsafeMutableRawPointer
    let complete: Completion
    private let settings: FetchSettings
    private let handleOptions: HandleOptions
    private let connectGuard: ConnectGuard
    private let request: FetchRequest
    private let started: Instant

    /// Kinds whose bodies are loaded.
    private let wanted: Set<ContentKind>

    private var url: String
    private var hops = 0
    /// Where the permanent redirects at the beginning have led.
    private var permanentURL: String?
    private var isOnlyPermanent = true
    private var asBrowser = false
    /// The header lines of a request that has more than the usual ones.
    private var headers: CurlList?
    private var isConditional = false
    /// The name of this hop's site is being looked up, before a proxy is asked for it.
    private var isLookup = false
    private var route = ProxyRoute.asWritten
    /// The address that replaces the host when libcurl connects.
    private var target: CurlList?
    /// A copy of the page that the chain still tries to reach.
    private var fallback: FetchedPage?
    /// The hosts of earlier requests, with their ports.
    private var requestedHosts: Set<String> = []
    private var cookiesBefore: [String] = []
    private var exchange: Exchange
    private var lastProgress: Instant
    private var downloaded = 0
    /// Bytes of the body as sent, including chunk framing.
    private var onWire = 0
    /// Set when the head shows that the body is not needed. The rest of the body is not awaited beyond this time.
    private var drainDeadline: Instant?

    /// Returns nil only when memory is exhausted.
    init?(
        request: FetchRequest, settings: FetchSettings, handleOptions: HandleOptions, now: Instant,
        complete: @escaping Completion
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.complete = complete
        self.settings = settings
        self.handleOptions = handleOptions
        connectGuard = ConnectGuard(rules: settings.rules)
        self.request = request
        url = AbsoluteURL.trimmed(request.url)
        wanted = request.wantsBody ? settings.wanted : []
        exchange = Exchange(limits: settings.limits, wanted: wanted)
        started = now
        lastProgress = now
        handleOptions.apply(to: easy, connectGuard: connectGuard, chain: self)
    }

    deinit { curl_easy_cleanup(easy) }

    // MARK: - The hops

    /// Sets the handle up for the chain's first URL.
    func begin(now: Instant) throws(FetchError) {
        do throws(FetchError) {
            try prepare(now: now)
        } catch {
            throw located(error, now: now)
        }
    }

    /// Sets the handle up for the current URL.
    private func prepare(now: Instant) throws(FetchError) {
        while let target = wrappedTarget() { try advance(to: target) }
        let curlURL = try CurlURL(url)
        requestedHosts.insert("\(curlURL.host):\(curlURL.port)")
        if settings.proxy != nil, case .blocked(let reason) = settings.rules.verdictBeforeProxy(curlURL) {
            throw FetchError(.blockedAddress, reason.sentence)
        }
        if curlURL.neverResolves {
            throw FetchError(.dnsError, "There is no site named \(curlURL.host).")
        }
        exchange = Exchange(limits: settings.limits, wanted: wanted)
        lastProgress = now
        isLookup =
            settings.proxy != nil && settings.proxyResolution == .own && NetworkAddress(curlURL.host) == nil
        if isLookup {
            connectGuard.beginHop(to: curlURL.host, for: .lookup)
            handleOptions.prepareLookup(easy, of: curlURL.text)
        } else {
            try prepareRequest(.asWritten, now: now)
        }
    }

    /// Sets the handle up for the request to the current URL.
    private func prepareRequest(_ route: ProxyRoute, now: Instant) throws(FetchError) {
        var curlURL = try CurlURL(url)
        var lines: [String] = []
        if case .rewritten(let address) = route {
            lines.append("Host: \(curlURL.authority)")
            curlURL = try curlURL.with(host: address.inURL)
        }
        self.route = route
        isLookup = false
        connectGuard.beginHop(to: curlURL.host, for: settings.proxy == nil ? .site : .proxy)
        exchange = Exchange(limits: settings.limits, wanted: wanted)
        downloaded = 0
        onWire = 0
        drainDeadline = nil
        lastProgress = now
        cookiesBefore = cookies()
        let conditions = request.copy.flatMap { $0.url == url ? $0.conditions : nil } ?? []
        isConditional = !conditions.isEmpty
        lines += conditions
        if let post = request.post { lines += post.fields }
        headers = lines.isEmpty ? nil : handleOptions.headers(asBrowser: asBrowser, and: lines)
        target = route.connectTo.map { CurlList([$0]) }
        handleOptions.prepare(easy, for: curlURL.text, asBrowser: asBrowser, headers: headers, target: target)
        if let post = request.post { handleOptions.preparePost(easy, of: post.body) }
    }

    /// Decides the next step after a transfer that ended with `code`.
    func transferEnded(_ code: CURLcode, now: Instant) -> Outcome {
        if let route = routeAfterTransfer() {
            do throws(FetchError) { try prepareRequest(route, now: now) } catch { return ended(error, now: now) }
            return .nextTransfer
        }
        if let failure = failure(of: code) { return ended(interrupted(failure, now: now), now: now) }
        exchange.finish()
        guard request.post == nil else { return .ended(.success(page(now: now))) }
        let step = NextStep.after(
            exchange, url: url, askedAsBrowser: asBrowser, isConditional: isConditional,
            cookiesChanged: cookies() != cookiesBefore, now: time(nil))
        do throws(FetchError) {
            switch step {
            case .fail(var error):
                error.page = exchange.errorPage
                throw error
            case .followCanonical(let target) where fallback == nil:
                fallback = page(now: now)
                try advance(to: target)
            case .done, .followCanonical:
                // A file or an empty body instead of the page is worse than the copy.
                let isPage = exchange.kind == .html && !exchange.body.isEmpty || exchange.head.status == 304
                let copy = isPage ? nil : fallbackPage(now: now)
                return .ended(.success(copy ?? page(now: now)))
            case .askAsBrowser:
                asBrowser = true
            case .follow(let target):
                isOnlyPermanent = isOnlyPermanent && [301, 308].contains(exchange.head.status)
                if isOnlyPermanent { permanentURL = target }
                try advance(to: target)
            }
            try prepare(now: now)
            return .nextTransfer
        } catch {
            return ended(error, now: now)
        }
    }

    /// The route of the request that follows a lookup, or that repeats one for which the proxy made no tunnel. Nil if
    /// the transfer was the request itself, or if no address was found that may be requested.
    private func routeAfterTransfer() -> ProxyRoute? {
        if isLookup { return ProxyRoute.preferred(connectGuard.found).map(ProxyRoute.tunnel) }
        guard case .tunnel(let address) = route, url.lowercased().hasPrefix("http:"),
            ProxyRoute.lacksTunnels(tunnelStatus)
        else { return nil }
        return .rewritten(address)
    }

    /// The status with which an HTTP proxy has answered `CONNECT` in this transfer; 0 if it was not asked.
    private var tunnelStatus: Int {
        var status = 0
        return ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0
    }

    /// Ends with the fallback copy if there is one, otherwise with the error.
    private func ended(_ error: FetchError, now: Instant) -> Outcome {
        .ended(fallbackPage(now: now).map(Result.success) ?? .failure(located(error, now: now)))
    }

    private func fallbackPage(now: Instant) -> FetchedPage? {
        guard var page = fallback else { return nil }
        page.hops = hops
        page.seconds = seconds(now)
        return page
    }

    /// Returns the target that the URL contains in itself, as a wrapped link of a newsletter does. Not for pictures: a
    /// script that delivers pictures must be asked for them. Not for a target on a host that the chain has already
    /// visited: a site that redirects to another host and back requires the visit to that host.
    private func wrappedTarget() -> String? {
        guard request.post == nil, settings.wanted.contains(.html), let target = LinkWrappers.standard.target(of: url),
            let curlURL = try? CurlURL(target),
            !requestedHosts.contains("\(curlURL.host):\(curlURL.port)")
        else { return nil }
        return target
    }

    private func advance(to target: String) throws(FetchError) {
        guard hops < settings.limits.hops else {
            throw FetchError(.tooManyRedirects, "The address redirected more than \(settings.limits.hops) times.")
        }
        hops += 1
        url = target
    }

    // MARK: - Time

    /// When this chain times out, unless it makes progress before.
    var deadline: Instant {
        let limits = settings.limits
        let timeout = min(started + limits.totalTime, lastProgress + limits.timeWithoutProgress)
        return min(timeout, drainDeadline ?? timeout)
    }

    /// Called when the deadline has passed. The rest of an unwanted body is ignored. Anything else is a timeout.
    func deadlinePassed(now: Instant) -> Outcome {
        if let drainDeadline, now >= drainDeadline, now < started + settings.limits.totalTime {
            return transferEnded(CURLE_OK, now: now)
        }
        let message =
            now >= started + settings.limits.totalTime
            ? "The site took longer than \(settings.limits.totalTime) to send the page."
            : "The site sent nothing for \(settings.limits.timeWithoutProgress)."
        return ended(interrupted(FetchError(.timeout, message), now: now), now: now)
    }

    /// The longest wait for the rest of an unwanted body.
    private static let drainTime: Duration = .milliseconds(500)

    // MARK: - Called by libcurl's callbacks; each returns whether to continue

    func receive(headerLine: UnsafeBufferPointer<UInt8>) -> Bool {
        lastProgress = .now
        let continues = exchange.receive(headerLine: headerLine)
        if exchange.needsNoBody, drainDeadline == nil { drainDeadline = lastProgress + RedirectChain.drainTime }
        return continues
    }

    func receive(body: UnsafeBufferPointer<UInt8>) -> Bool {
        lastProgress = .now
        return exchange.receive(body: body)
    }

    /// The limit is checked at libcurl's next progress callback.
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

    // MARK: - Results

    /// Returns the error of a failed transfer, or nil when the needed part of the response is complete.
    private func failure(of code: CURLcode) -> FetchError? {
        if case .tooLarge(let message) = exchange.endReason { return FetchError(.tooLarge, message) }
        if exchange.endReason == .repeatedlyEncoded {
            return FetchError(.badEncoding, "The site compressed the page more than once.")
        }
        if exchange.endReason == .enough || exchange.needsNoBody { return nil }
        if code == CURLE_OK {
            // libcurl treats a connection that closes within the headers as a complete response.
            return exchange.head.isComplete ? nil : FetchError(CURLE_GOT_NOTHING, hasAnswered: true)
        }
        if connectGuard.opened == 0, let rejection = connectGuard.rejection, !exchange.head.isComplete {
            return FetchError(.blockedAddress, rejection.sentence)
        }
        if tunnelStatus >= 300 { return .proxyRefused(tunnelStatus) }
        return FetchError(code, hasAnswered: exchange.head.status > 0)
    }

    private func page(now: Instant) -> FetchedPage {
        FetchedPage(
            requestedURL: request.url, finalURL: url, status: exchange.head.status,
            contentType: exchange.head.contentType?.mediaType, charsetLabel: exchange.head.contentType?.charset,
            kind: exchange.kind, body: wanted.contains(exchange.kind) ? exchange.body : [], hops: hops,
            seconds: seconds(now),
            validators: Validators(url: url, etag: exchange.head.etag, lastModified: exchange.head.lastModified),
            permanentURL: permanentURL)
    }

    /// Returns the error with the URL, the number of hops and the time at which it happened.
    private func located(_ error: FetchError, now: Instant) -> FetchError {
        var error = error
        error.url = url
        error.hops = hops
        error.seconds = seconds(now)
        if error.status == nil, exchange.head.status > 0 { error.status = exchange.head.status }
        return error
    }

    /// Returns the error of an incomplete response with the part of the page that arrived.
    private func interrupted(_ error: FetchError, now: Instant) -> FetchError {
        guard (200...299).contains(exchange.head.status) else { return error }
        exchange.finish()
        var (error, page) = (error, page(now: now))
        page.body = Array(page.body.prefix(Exchange.sampledBytes))
        if page.isHTML, !page.body.isEmpty { error.beginning = page }
        return error
    }

    private func seconds(_ now: Instant) -> Double { (now - started) / .seconds(1) }

    /// The chain's cookies in libcurl's notation.
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
