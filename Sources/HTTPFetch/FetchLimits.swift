/// The caps of one fetch. What is over a cap ends at once, with the reason that belongs to it.
public struct FetchLimits: Sendable, Equatable {
    /// Longest time without a byte or a step from the site, also while looking up its name and connecting.
    public var timeWithoutProgress: Duration = .seconds(20)
    /// Longest time for the whole chain of redirects.
    public var totalTime: Duration = .seconds(25)
    /// Bytes of a body as sent, before unpacking. The articles we know of stay far below; 10 MB holds their worst.
    public var compressedBytes = 10_000_000
    /// Bytes of a body after unpacking.
    public var inflatedBytes = 20_000_000
    /// Bytes of all header lines of one answer, interim answers and trailers included.
    public var headerBytes = 256 * 1024
    /// Steps from URL to URL that are followed; the next one is `too_many_redirects`.
    public var hops = 10

    public init() {}
}
