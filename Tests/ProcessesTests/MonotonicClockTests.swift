import Processes
import Testing

@Suite("Processes / monotonic clock")
struct MonotonicClockTests {
    @Test("time never goes backwards")
    func monotonic() {
        let times = (0..<1_000).map { _ in MonotonicClock.now }
        #expect(times.first! > .zero && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
