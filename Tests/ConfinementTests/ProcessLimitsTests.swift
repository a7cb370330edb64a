import Testing

@testable import Confinement

@Suite("Confinement / process limits")
struct ProcessLimitsTests {
    private struct Limits: ProcessLimits {
        static let fields: [Field] = [("seconds", \.seconds), ("pages", \.pages)]
        var seconds = 10
        var pages = 5
    }

    @Test("limits written as arguments are read again")
    func roundTrip() {
        let limits = Limits(seconds: 3, pages: 0)
        #expect(limits.arguments == ["seconds=3", "pages=0"])
        #expect(Limits(arguments: limits.arguments) == limits)
    }

    @Test(
        "other arguments are rejected",
        arguments: [
            [], ["seconds=1"], ["seconds=1", "pages=x"], ["seconds=-1", "pages=2"], ["pages=2", "seconds=1"],
            ["seconds=1", "pages=2", "more=3"], ["seconds1", "pages=2"],
        ])
    func invalid(arguments: [String]) { #expect(Limits(arguments: arguments) == nil) }

    @Test("the parent waits longer than the processor time")
    func responseTimeout() { #expect(Limits().responseTimeout > .seconds(Limits().seconds)) }
}
