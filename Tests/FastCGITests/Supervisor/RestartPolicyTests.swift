import Testing

@testable import FastCGI

@Suite("FastCGI / restart policy")
struct RestartPolicyTests {
    private let policy = RestartPolicy()

    @Test("a worker that dies after a successful start is replaced at once, however often")
    func steady() {
        #expect(policy.failures(before: 9, lived: .seconds(1)) == 0)
        #expect(policy.pause(after: 0) == .zero)
    }

    @Test("the first early failure has no pause; from then on the pause doubles up to ten seconds")
    func early() {
        #expect(policy.failures(before: 0, lived: .milliseconds(999)) == 1)
        let pauses = (1...12).map { policy.pause(after: $0) }
        let expected = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 10_000]
        #expect(pauses == expected.map { .milliseconds($0) })
        #expect(policy.pause(after: .max) == .seconds(10))
    }
}
