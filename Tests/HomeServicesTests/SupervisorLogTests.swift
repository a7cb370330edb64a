import Testing

@testable import HomeServices

@Suite("HomeServices / log")
struct SupervisorLogTests {
    @Test("the time is that of UTC")
    func timestamp() {
        #expect(SupervisorLog.timestamp(0) == "1970-01-01T00:00:00Z")
        #expect(SupervisorLog.timestamp(1_795_420_800) == "2026-11-23T08:00:00Z")
    }
}
