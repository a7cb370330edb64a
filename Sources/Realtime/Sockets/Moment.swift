/// A point in time, by two clocks.
public struct Moment: Sendable, Equatable {
    /// Microseconds since 1970, by which tokens expire.
    public var microseconds: Int
    /// Milliseconds of a clock that never jumps, by which limits and silence are measured.
    public var uptime: Int

    public init(microseconds: Int, uptime: Int) {
        self.microseconds = microseconds
        self.uptime = uptime
    }

    /// Seconds since 1970.
    var epoch: Int { microseconds / 1_000_000 }
}
