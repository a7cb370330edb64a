import Testing

@testable import Outbox

@Suite("Outbox / back-off")
struct BackOffTests {
    @Test("half a minute, doubled each time, an hour at most", arguments: [(1, 30.0), (2, 60), (3, 120), (8, 3_600), (200, 3_600)])
    func doubles(attempt: Int, seconds: Double) {
        #expect(BackOff(base: 30).seconds(afterAttempt: attempt, chance: 0.5) == seconds)
    }

    @Test("chance spreads it over half to one and a half")
    func spread() {
        #expect(BackOff(base: 30).seconds(afterAttempt: 1, chance: 0) == 15)
        #expect(BackOff(base: 30).seconds(afterAttempt: 1, chance: 1) == 45)
    }
}
