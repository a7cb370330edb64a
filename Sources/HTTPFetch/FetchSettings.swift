/// The settings of a `Fetcher`.
public struct FetchSettings: Sendable {
    public var limits = FetchLimits()
    /// The addresses and ports that may be connected to.
    public var rules = AddressRules()
    /// The URL of a proxy for all fetches (`LECTERN_FETCH_PROXY`). Nil means none, whatever the environment contains.
    ///
    /// An empty URL also means none, as in libcurl. Treating it as a proxy would exempt every address from the rules.
    public var proxy: String? {
        didSet { if proxy?.allSatisfy(\.isWhitespace) == true { proxy = nil } }
    }
    /// Who looks up names when there is a proxy (`LECTERN_FETCH_PROXY_RESOLVES`).
    public var proxyResolution = ProxyResolution.own
    /// The User-Agent. After a 403 the request is repeated once with a browser's header fields.
    public var userAgent = "Lectern/1.0 (read-later service)"
    /// The maximum number of simultaneous transfers. Further ones wait in a queue, and their time limits have not
    /// started.
    public var concurrentTransfers = 256
    /// Addresses that take precedence over DNS, as `host:port:address`. For tests and for names that only this machine
    /// knows.
    public var nameOverrides: [String] = []

    /// The media types to ask for, as in an Accept header. Nil: those of pages or of pictures, as `wanted` says.
    public var accept: String?

    /// The kinds whose bodies are loaded. Of others only the kind is reported.
    public var wanted: Set<ContentKind> = [.html]

    public init() {}
}
