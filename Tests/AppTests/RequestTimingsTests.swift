import Testing

@testable import App

@Suite("App / timings")
struct RequestTimingsTests {
    @Test("durations are written in milliseconds with three decimals")
    func serverTiming() {
        let text = RequestTimings.serverTiming([("auth", .microseconds(7)), ("sql", .microseconds(12_345))])
        #expect(text == "auth;dur=0.007, sql;dur=12.345")
    }

    @Test("the time of a step is added, also when the step throws")
    func measured() throws {
        struct Failure: Error {}
        var timings = RequestTimings()
        #expect(throws: Failure.self) { try timings.measure(.sql) { throw Failure() } }
        #expect(timings.sql > .zero && timings.plan == .zero)
        let first = timings.sql
        #expect(timings.measure(.sql) { 5 } == 5)
        #expect(timings.sql > first && timings.total >= timings.sql)
    }
}
