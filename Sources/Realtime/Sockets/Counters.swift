/// What has happened since the start of the process, for the metrics.
public struct Counters: Sendable, Equatable {
    public internal(set) var opened = 0
    public internal(set) var messages = 0
    public internal(set) var joins = 0
    public internal(set) var refusedJoins = 0
    public internal(set) var refusedTokens = 0
    public internal(set) var closed: [CloseReason: Int] = [:]
    /// Changes read from the log, whether or not somebody watches them.
    public internal(set) var changes = 0
    /// Messages about changes.
    public internal(set) var events = 0
    public internal(set) var expired = 0
    public internal(set) var overflowed = 0
    public internal(set) var lag = Histogram()

    mutating func add(_ delivery: Delivery) {
        events += delivery.sent
        expired += delivery.expired
        overflowed += delivery.overflowed
        if delivery.sent > 0 { lag.add(delivery.lag, times: delivery.sent) }
    }
}

/// A histogram of times.
public struct Histogram: Sendable, Equatable {
    /// Upper bounds in microseconds.
    static let bounds = [5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 10_000_000]

    /// The times up to each bound and above the one before, and then those above the last.
    private(set) var counts = [Int](repeating: 0, count: Histogram.bounds.count + 1)
    /// In microseconds.
    private(set) var sum = 0

    mutating func add(_ microseconds: Int, times: Int) {
        counts[Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count] += times
        sum += microseconds * times
    }
}
