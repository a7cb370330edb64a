/// On whose account a request counts. The requests of one source share a limit on how many are answered at once.
public struct RequestSource: Hashable, Sendable {
    /// Identifies the source in every worker of a pool. Not 0, which stands for no source.
    public let key: UInt64
    /// The number of its requests that all workers of a pool answer at once, at least 1.
    public let limit: Int

    public init(key: UInt64, limit: Int) {
        self.key = max(1, key)
        self.limit = max(1, limit)
    }
}
