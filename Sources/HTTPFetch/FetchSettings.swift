/// What a `Fetcher` is told once, at start.
public struct FetchSettings: Sendable {
    public var limits = FetchLimits()
    /// Which addresses and ports may be connected to.
    public var rules = AddressRules()
    /// URL of a proxy that all fetches go through (`LECTERN_FETCH_PROXY`). Nil: none, whatever the environment says.
    ///
    /// An empty one is none, too: libcurl reads it so, and taking it for a proxy would exempt every address from the rules.
    public var proxy: String? {
        didSet { if proxy?.allSatisfy(\.isWhitespace) == true { proxy = nil } }
    }
    /// Who we say we are. A site that answers 403 is asked once more with a browser's headers.
    public var userAgent = "Lectern/1.0 (read-later service)"
    /// Transfers under way at once; further ones wait in line, and their time does not run yet.
    public var concurrentTransfers = 256
    /// Answers that come before DNS, as `host:port:address`. For tests and for names only this machine should know.
    public var nameOverrides: [String] = []

    /// Kinds whose bodies are loaded; of others only what they are is told.
    public var wanted: Set<ContentKind> = [.html]

    public init() {}
}
