/// Pseudorandom numbers that are the same in every run (SplitMix64).
///
/// Source: https://prng.di.unimi.it/splitmix64.c
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &self) }
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
    mutating func happens(oneIn chances: Int) -> Bool { below(chances) == 0 }
}
