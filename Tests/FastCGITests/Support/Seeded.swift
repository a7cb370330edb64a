/// Generates the same random numbers in every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    /// Xorshift, Marsaglia 2003.
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
