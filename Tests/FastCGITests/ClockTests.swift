import Testing

@testable import FastCGI

@Suite("FastCGI / clock")
struct ClockTests {
    @Test("time never goes backwards")
    func monotonic() {
        let times = (0..<1_000).map { _ in Clock.now }
        #expect(times.first! > .zero && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
