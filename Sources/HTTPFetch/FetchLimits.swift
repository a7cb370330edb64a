/// The limits of one fetch. A fetch that exceeds a limit ends at once with the corresponding reason.
public struct FetchLimits: Sendable, Equatable {
    /// The longest time without progress, including name lookup and connecting.
    public var timeWithoutProgress: Duration = .seconds(20)
    /// The longest time for the whole chain of redirects.
    public var totalTime: Duration = .seconds(25)
    /// The maximum number of bytes of a body as sent, before decoding. Known articles are far smaller, and 10 MB
    /// suffices for the largest.
    public var compressedBytes = 10_000_000
    /// The maximum number of bytes of a body after decoding.
    public var inflatedBytes = 20_000_000
    /// The maximum number of bytes of all header lines of one response, including interim responses and trailers.
    public var headerBytes = 256 * 1024
    /// The maximum number of hops from URL to URL. One more is `too_many_redirects`.
    public var hops = 10

    public init() {}
}
