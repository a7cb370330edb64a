/// Counts what a socket sends, messages or bytes, against a rate.
struct RateCount {
    private var available: Double
    private var countedAt: Int

    init(_ rate: Limits.Rate?, at now: Moment) {
        available = rate?.burst ?? 0
        countedAt = now.uptime
    }

    /// Counts a number of messages or bytes. Returns false if they exceed the rate.
    mutating func admits(_ count: Int, _ rate: Limits.Rate?, at now: Moment) -> Bool {
        guard let rate else { return true }
        available = min(rate.burst, available + Double(now.uptime - countedAt) / 1_000 * rate.perSecond)
        countedAt = now.uptime
        guard available >= Double(count) else { return false }
        available -= Double(count)
        return true
    }
}
