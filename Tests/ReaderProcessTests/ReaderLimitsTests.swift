import Testing

@testable import ReaderProcess

@Suite("ReaderProcess / limits")
struct ReaderLimitsTests {
    @Test("limits written as arguments are read again")
    func roundTrip() {
        var limits = ReaderLimits()
        limits.sourceBytes = 1
        limits.nodes = 2
        limits.seconds = 3
        limits.memoryBytes = 4
        #expect(limits.arguments == ["source=1", "nodes=2", "seconds=3", "memory=4"])
        #expect(ReaderLimits(arguments: limits.arguments) == limits)
    }

    @Test(
        "other arguments are rejected",
        arguments: [
            [], ["source=1"], ["source=1", "nodes=2", "seconds=3", "memory=x"],
            ["source=-1", "nodes=2", "seconds=3", "memory=4"],
            ["nodes=2", "source=1", "seconds=3", "memory=4"],
            ["source=1", "nodes=2", "seconds=3", "memory=4", "more=5"],
        ])
    func invalid(arguments: [String]) { #expect(ReaderLimits(arguments: arguments) == nil) }
}
