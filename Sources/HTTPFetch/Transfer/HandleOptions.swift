import CCurl

/// All options of libcurl handles. Owns the lists whose pointers it passes to libcurl, so it must outlive all handles.
final class HandleOptions {
    private let settings: FetchSettings
    private let plainHeaders: CurlList
    private let browserHeaders: CurlList
    private let nameOverrides: CurlList
    /// The proxy's URL, or an empty one.
    private let proxy: String

    init(_ settings: FetchSettings) {
        self.settings = settings
        plainHeaders = CurlList(HandleOptions.usual(asBrowser: false, settings))
        browserHeaders = CurlList(HandleOptions.usual(asBrowser: true, settings))
        nameOverrides = CurlList(settings.nameOverrides)
        proxy = settings.proxy.map(settings.proxyResolution.applied) ?? ""
    }

    /// Sets the options that are the same for all hops of a chain. `connectGuard` and `chain` are called back until the
    /// handle is freed, and must live that long.
    func apply(to easy: UnsafeMutableRawPointer, connectGuard: ConnectGuard, chain: RedirectChain) {
        let chainPointer = Unmanaged.passUnretained(chain).toOpaque()

        // Allowed targets.
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_string(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_opensocket(easy, openThroughGuard)
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(connectGuard).toOpaque())
        ccurl_set_list(easy, CURLOPT_RESOLVE, nameOverrides.pointer)

        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

        // The request. An empty list of codings means all that libcurl supports. An empty cookie file enables cookies.
        ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        ccurl_set_string(easy, CURLOPT_COOKIEFILE, "")
        ccurl_set_long(easy, CURLOPT_HTTPGET, 1)

        // Timeouts are enforced by `RedirectChain.deadline`. libcurl's own limit is only a fallback. Signals would
        // reach other threads, and a name server that does not respond must not block the loop when its transfer is
        // aborted.
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT, 300)
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)

        // The response.
        ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, receiveHeader)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, chainPointer)
        ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, receiveBody)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, chainPointer)
        ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0)
        ccurl_set_progress(easy, receiveProgress)
        ccurl_set_pointer(easy, CURLOPT_XFERINFODATA, chainPointer)
        // The only way to count the bytes of chunk framing: libcurl does not count them, and a chunk extension may be
        // endless.
        ccurl_set_long(easy, CURLOPT_VERBOSE, 1)
        ccurl_set_debug(easy, receiveTraffic)
        ccurl_set_pointer(easy, CURLOPT_DEBUGDATA, chainPointer)
    }

    /// Sets the options of one hop. `headers`, if given, replace the usual ones. They and `target`, the route's
    /// `connectTo`, must live until the next hop or until the handle is freed.
    func prepare(
        _ easy: UnsafeMutableRawPointer, for url: String, asBrowser: Bool, headers: CurlList?, target: CurlList?
    ) {
        ccurl_set_string(easy, CURLOPT_URL, url)
        setProxy(proxy, on: easy)
        ccurl_set_list(easy, CURLOPT_CONNECT_TO, target?.pointer)
        ccurl_set_long(easy, CURLOPT_HTTPPROXYTUNNEL, target == nil ? 0 : 1)
        ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 0)
        ccurl_set_string(easy, CURLOPT_USERAGENT, asBrowser ? HandleOptions.browserUserAgent : settings.userAgent)
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, (headers ?? (asBrowser ? browserHeaders : plainHeaders)).pointer)
    }

    /// Makes the request of a hop a POST request. libcurl copies the body.
    func preparePost(_ easy: UnsafeMutableRawPointer, of body: String) {
        ccurl_set_long(easy, CURLOPT_POST, 1)
        ccurl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.utf8.count)
        ccurl_set_string(easy, CURLOPT_COPYPOSTFIELDS, body)
    }

    /// Sets the options of a transfer that only looks up the host of a URL: it tries to connect to the site itself, and
    /// its `ConnectGuard` returns no socket.
    func prepareLookup(_ easy: UnsafeMutableRawPointer, of url: String) {
        ccurl_set_string(easy, CURLOPT_URL, url)
        setProxy("", on: easy)
        ccurl_set_list(easy, CURLOPT_CONNECT_TO, nil)
        ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
    }

    /// An explicit proxy, even an empty one, and an explicit list of exceptions override the environment's variables.
    private func setProxy(_ proxy: String, on easy: UnsafeMutableRawPointer) {
        ccurl_set_string(easy, CURLOPT_PROXY, proxy)
        ccurl_set_string(easy, CURLOPT_NOPROXY, proxy.isEmpty ? "*" : "")
    }

    /// Returns the usual header lines and `lines`.
    func headers(asBrowser: Bool, and lines: [String]) -> CurlList {
        CurlList(HandleOptions.usual(asBrowser: asBrowser, settings) + lines)
    }

    private static func usual(asBrowser: Bool, _ settings: FetchSettings) -> [String] {
        let isPage = settings.wanted.contains(.html)
        let accept = settings.accept.map { "Accept: \($0)" } ?? (isPage ? acceptPages : acceptPictures)
        return [accept] + (!asBrowser ? [] : isPage ? browserFields : browserPictureFields)
    }

    // MARK: - Header sets

    private static let acceptPictures =
        "Accept: image/webp,image/png,image/jpeg,image/avif;q=0.9,image/svg+xml;q=0.8,image/*;q=0.7,*/*;q=0.5"
    private static let acceptPages = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    /// For the second attempt after a 403. Firefox ESR on Linux, as of November 2025. It may become outdated without
    /// harm.
    private static let browserUserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    private static let browserFields = [
        "Accept-Language: en-US,en;q=0.5", "Upgrade-Insecure-Requests: 1", "Sec-Fetch-Dest: document",
        "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: none", "Sec-Fetch-User: ?1", "Priority: u=0, i",
    ]

    private static let browserPictureFields = [
        "Accept-Language: en-US,en;q=0.5", "Sec-Fetch-Dest: image", "Sec-Fetch-Mode: no-cors",
        "Sec-Fetch-Site: cross-site",
        "Priority: u=5, i",
    ]
}

// libcurl's callbacks. `user` is the `RedirectChain`. Returning another count than the given one ends the transfer.

private let receiveHeader: curl_write_callback = { data, size, count, user in
    receive(data, size * count, user) { chain, bytes in chain.receive(headerLine: bytes) }
}

private let receiveBody: curl_write_callback = { data, size, count, user in
    receive(data, size * count, user) { chain, bytes in chain.receive(body: bytes) }
}

private let receiveProgress: curl_xferinfo_callback = { user, _, downloaded, _, _ in
    guard let user else { return 1 }
    return Unmanaged<RedirectChain>.fromOpaque(user).takeUnretainedValue().receive(downloaded: Int(downloaded)) ? 0 : 1
}

private let receiveTraffic: curl_debug_callback = { _, kind, _, count, user in
    if kind == CURLINFO_DATA_IN, let user {
        Unmanaged<RedirectChain>.fromOpaque(user).takeUnretainedValue().receive(onWire: count)
    }
    return 0
}

private func receive(
    _ data: UnsafeMutablePointer<CChar>?, _ count: Int, _ user: UnsafeMutableRawPointer?,
    _ receive: (RedirectChain, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
    guard let user, let data else { return 0 }
    let chain = Unmanaged<RedirectChain>.fromOpaque(user).takeUnretainedValue()
    let continues = data.withMemoryRebound(to: UInt8.self, capacity: count) {
        receive(chain, UnsafeBufferPointer(start: $0, count: count))
    }
    return continues ? count : 0
}
