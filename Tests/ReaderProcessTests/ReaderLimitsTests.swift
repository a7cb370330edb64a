import Testing

@testable import ReaderProcess

@Suite("ReaderProcess / limits")
struct ReaderLimitsTests {
    @Test("all limits are arguments of the process")
    func arguments() {
        var limits = ReaderLimits()
        (limits.sourceBytes, limits.nodes, limits.seconds, limits.memoryBytes) = (1, 2, 3, 4)
        #expect(limits.arguments == ["source=1", "nodes=2", "seconds=3", "memory=4"])
        #expect(ReaderLimits(arguments: limits.arguments) == limits)
    }
}
