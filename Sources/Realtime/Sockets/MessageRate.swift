/// Counts the messages of a socket against its rate.
struct MessageRate {
    private var available: Double
    private var countedAt: Int

    init(_ rate: Limits.Rate?, at now: Moment) {
        available = rate?.burst ?? 0
        countedAt = now.uptime
    }

    /// Counts a message. Returns false if it exceeds the rate.
    mutating func admits(_ rate: Limits.Rate?, at now: Moment) -> Bool {
        guard let rate else { return true }
        available = min(rate.burst, available + Double(now.uptime - countedAt) / 1_000 * rate.perSecond)
        countedAt = now.uptime
        guard available >= 1 else { return false }
        available -= 1
        return true
    }
}
