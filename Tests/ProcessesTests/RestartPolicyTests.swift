import Processes
import Testing

@Suite("Processes / restart policy")
struct RestartPolicyTests {
    private let policy = RestartPolicy(
        steadyAfter: .seconds(1), pauses: [.zero, .milliseconds(100), .milliseconds(200)])

    @Test("a process that ends after a successful start is started again at once, however often")
    func steady() {
        #expect(policy.failures(before: 9, lived: .seconds(1)) == 0)
        #expect(policy.pause(after: 0) == .zero)
    }

    @Test("early failures in a row have their pauses, and the last pause stays")
    func early() {
        #expect(policy.failures(before: 0, lived: .milliseconds(999)) == 1)
        let pauses = (1...5).map { policy.pause(after: $0) }
        #expect(pauses == [0, 100, 200, 200, 200].map { .milliseconds($0) })
        #expect(policy.pause(after: .max) == .milliseconds(200))
    }
}
