/// When a mail that was not taken is tried again. Pure: chance comes in as an argument.
struct BackOff: Sendable, Equatable {
    /// Seconds before the second try; doubles each time.
    var base: Int
    /// Longest wait in seconds: who waits for a mail looks again within the hour.
    var longest = 3_600

    /// - Parameters:
    ///   - attempt: how many tries there were, this one included.
    ///   - chance: 0 to 1; spreads tries over half to one and a half of the wait, so that mails that were refused together
    ///     do not come back together.
    func seconds(afterAttempt attempt: Int, chance: Double) -> Double {
        Double(min(base << min(max(attempt - 1, 0), 16), longest)) * (0.5 + chance)
    }
}
