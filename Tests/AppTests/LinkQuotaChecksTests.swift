import REST
import Testing

@testable import App

@Suite("App / checks of the link quota")
struct LinkQuotaChecksTests {
    private let now = ContinuousClock.now
    private let save: Plan
    private let batch: Plan

    init() throws {
        save = try plan("POST", body: #"{"raw_url":"a"}"#)
        batch = try plan("POST", body: #"[{"raw_url":"a"},{"raw_url":"b"}]"#)
    }

    @Test("a user whose save has passed saves single links for a second without another check")
    func second() {
        let checks = LinkQuotaChecks(quota: 100_000)
        #expect(!checks.covers(save, of: "ann", now: now))
        checks.pass(save, of: "ann", now: now)
        #expect(checks.covers(save, of: "ann", now: now + .milliseconds(999)))
        #expect(!checks.covers(save, of: "ann", now: now + .seconds(1)))
        #expect(!checks.covers(save, of: "bob", now: now))
    }

    @Test("a batch, a change and a caller without an id are always checked")
    func always() throws {
        let checks = LinkQuotaChecks(quota: 100_000)
        checks.pass(save, of: "ann", now: now)
        #expect(!checks.covers(batch, of: "ann", now: now))
        #expect(!checks.covers(try plan("PATCH", "id=eq.x", body: #"{"title":"a"}"#), of: "ann", now: now))
        #expect(!checks.covers(save, of: nil, now: now))
    }

    @Test("the smaller the quota, the shorter a check holds")
    func small() {
        let checks = LinkQuotaChecks(quota: 6)
        checks.pass(save, of: "ann", now: now)
        #expect(!checks.covers(save, of: "ann", now: now + .microseconds(60)))
    }
}
