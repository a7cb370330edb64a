import CCurl

/// Everything a libcurl handle is told, in one place. Owns the lists it hands out by pointer, so it outlives all handles.
final class HandleOptions {
    private let settings: FetchSettings
    private let plainHeaders: UnsafeMutablePointer<curl_slist>?
    private let browserHeaders: UnsafeMutablePointer<curl_slist>?
    private let nameOverrides: UnsafeMutablePointer<curl_slist>?

    init(_ settings: FetchSettings) {
        self.settings = settings
        plainHeaders = HandleOptions.list(HandleOptions.usual(asBrowser: false, settings))
        browserHeaders = HandleOptions.list(HandleOptions.usual(asBrowser: true, settings))
        nameOverrides = HandleOptions.list(settings.nameOverrides)
    }

    deinit {
        for list in [plainHeaders, browserHeaders, nameOverrides] { curl_slist_free_all(list) }
    }

    /// What stays the same for all hops of a chain. `gate` and `chain` are called back until the handle is freed and must
    /// live as long.
    func apply(to easy: UnsafeMutableRawPointer, gate: ConnectGuard, chain: RedirectChain) {
        let chainPointer = Unmanaged.passUnretained(chain).toOpaque()

        // Where we may go.
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_string(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_opensocket(easy, openThroughGate)
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(gate).toOpaque())
        ccurl_set_list(easy, CURLOPT_RESOLVE, nameOverrides)

        // An empty proxy, and no exceptions from a given one, turn the environment's variables off.
        ccurl_set_string(easy, CURLOPT_PROXY, settings.proxy ?? "")
        ccurl_set_string(easy, CURLOPT_NOPROXY, settings.proxy == nil ? "*" : "")
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

        // What we say. An empty list of codings means all that libcurl has; an empty cookie file turns its engine on.
        ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        ccurl_set_string(easy, CURLOPT_COOKIEFILE, "")
        ccurl_set_long(easy, CURLOPT_HTTPGET, 1)

        // Patience is ours to keep (see `RedirectChain.deadline`); libcurl's own limit only lies behind it. Signals would reach
        // other threads, and a name server that hangs must not hold the loop when its transfer is given up.
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT, 300)
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)

        // What we hear.
        ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, hearHeader)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, chainPointer)
        ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, hearBody)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, chainPointer)
        ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0)
        ccurl_set_progress(easy, hearProgress)
        ccurl_set_pointer(easy, CURLOPT_XFERINFODATA, chainPointer)
        // The only way to hear of bytes that frame chunks: libcurl counts none of them, and a chunk's extension may be endless.
        ccurl_set_long(easy, CURLOPT_VERBOSE, 1)
        ccurl_set_debug(easy, hearTraffic)
        ccurl_set_pointer(easy, CURLOPT_DEBUGDATA, chainPointer)
    }

    /// What changes from hop to hop. `headers`, where there are any, stand for the usual ones until the next hop, or until the handle
    /// is freed.
    func address(_ easy: UnsafeMutableRawPointer, to url: String, asBrowser: Bool, headers: UnsafeMutablePointer<curl_slist>?) {
        ccurl_set_string(easy, CURLOPT_URL, url)
        ccurl_set_string(easy, CURLOPT_USERAGENT, asBrowser ? HandleOptions.browserUserAgent : settings.userAgent)
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers ?? (asBrowser ? browserHeaders : plainHeaders))
    }

    /// The usual header lines and these; to be freed by the caller, with `curl_slist_free_all`.
    func headers(asBrowser: Bool, and lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        HandleOptions.list(HandleOptions.usual(asBrowser: asBrowser, settings) + lines)
    }

    private static func usual(asBrowser: Bool, _ settings: FetchSettings) -> [String] {
        let isPage = settings.wanted.contains(.html)
        return [isPage ? acceptPages : acceptPictures] + (!asBrowser ? [] : isPage ? browserFields : browserPictureFields)
    }

    // MARK: - Header sets

    private static let acceptPictures = "Accept: image/webp,image/png,image/jpeg,image/avif;q=0.9,image/svg+xml;q=0.8,image/*;q=0.7,*/*;q=0.5"
    private static let acceptPages = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    /// For the second try after a 403. Firefox ESR on Linux, as of November 2025; it may age without harm.
    private static let browserUserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    private static let browserFields = [
        "Accept-Language: en-US,en;q=0.5", "Upgrade-Insecure-Requests: 1", "Sec-Fetch-Dest: document",
        "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: none", "Sec-Fetch-User: ?1", "Priority: u=0, i",
    ]

    private static let browserPictureFields = [
        "Accept-Language: en-US,en;q=0.5", "Sec-Fetch-Dest: image", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Site: cross-site",
        "Priority: u=5, i",
    ]

    private static func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        lines.reduce(nil) { list, line in curl_slist_append(list, line) ?? list }
    }
}

// libcurl's callbacks; `user` is the `RedirectChain`. A count other than the one given ends the transfer.

private let hearHeader: curl_write_callback = { data, size, count, user in
    hear(data, size * count, user) { chain, bytes in chain.receive(headerLine: bytes) }
}

private let hearBody: curl_write_callback = { data, size, count, user in
    hear(data, size * count, user) { chain, bytes in chain.receive(body: bytes) }
}

private let hearProgress: curl_xferinfo_callback = { user, _, downloaded, _, _ in
    guard let user else { return 1 }
    return Unmanaged<RedirectChain>.fromOpaque(user).takeUnretainedValue().receive(downloaded: Int(downloaded)) ? 0 : 1
}

private let hearTraffic: curl_debug_callback = { _, kind, _, count, user in
    if kind == CURLINFO_DATA_IN, let user { Unmanaged<RedirectChain>.fromOpaque(user).takeUnretainedValue().receive(onWire: count) }
    return 0
}

private func hear(
    _ data: UnsafeMutablePointer<CChar>?, _ count: Int, _ user: UnsafeMutableRawPointer?,
    _ receive: (RedirectChain, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
    guard let user, let data else { return 0 }
    let chain = Unmanaged<RedirectChain>.fromOpaque(user).takeUnretainedValue()
    let goesOn = data.withMemoryRebound(to: UInt8.self, capacity: count) {
        receive(chain, UnsafeBufferPointer(start: $0, count: count))
    }
    return goesOn ? count : 0
}
