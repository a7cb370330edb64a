/// On whose account a request counts. The requests of one source share a limit on how many are answered at once.
public struct RequestSource: Hashable, Sendable {
    /// Identifies the source in every worker of a pool. Not 0, which stands for no source.
    public let key: UInt64
    /// The number of its requests that all workers of a pool answer at once, at least 1.
    public let limit: Int
    /// This number for some seconds after slow requests of the source ran at the same time; from 1 to `limit`.
    public let slowLimit: Int

    /// - Parameter slowLimit: nil: the same as `limit`.
    public init(key: UInt64, limit: Int, slowLimit: Int? = nil) {
        self.key = max(1, key)
        self.limit = max(1, limit)
        self.slowLimit = min(self.limit, max(1, slowLimit ?? limit))
    }
}
