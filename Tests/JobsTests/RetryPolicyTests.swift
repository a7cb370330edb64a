import Jobs
import Testing

@Suite("Jobs / retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy(base: .seconds(30), attempts: 5)

    @Test("delays double", arguments: [(1, 30), (2, 60), (3, 120), (4, 240)])
    func doubles(attempt: Int, seconds: Int) {
        #expect(
            policy.decide(afterAttempt: attempt, isRetryable: true, chance: 0.5) == .retry(after: .seconds(seconds)))
    }

    @Test("chance spreads a delay over half to one and a half of it")
    func spread() {
        #expect(policy.decide(afterAttempt: 1, isRetryable: true, chance: 0) == .retry(after: .seconds(15)))
        #expect(policy.decide(afterAttempt: 1, isRetryable: true, chance: 1) == .retry(after: .seconds(45)))
    }

    @Test(
        "a delay has an upper limit, which chance spreads like any other delay",
        arguments: [(7, 1_920.0), (8, 3_600), (200, 3_600)])
    func maxDelay(attempt: Int, seconds: Double) {
        let policy = RetryPolicy(base: .seconds(30), attempts: .max, maxDelay: .seconds(3_600))
        #expect(
            policy.decide(afterAttempt: attempt, isRetryable: true, chance: 0.5) == .retry(after: .seconds(seconds)))
        #expect(policy.delay(afterAttempt: attempt, chance: 0) == .seconds(seconds / 2))
        #expect(policy.delay(afterAttempt: attempt, chance: 1) == .seconds(seconds * 1.5))
    }

    @Test("the last attempt and permanent failures are buried")
    func buried() {
        #expect(policy.decide(afterAttempt: 5, isRetryable: true, chance: 0.5) == .bury)
        #expect(policy.decide(afterAttempt: 1, isRetryable: false, chance: 0.5) == .bury)
    }

    @Test("a site that asks for more time gets it")
    func retryAfter() {
        #expect(
            policy.decide(afterAttempt: 1, isRetryable: true, retryAfter: .seconds(500), chance: 0.5)
                == .retry(after: .seconds(500)))
    }
}
