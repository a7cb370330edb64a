import Testing

@testable import App

@Suite("App / concurrency limit")
struct ConcurrencyLimiterTests {
    @Test("the limit is not exceeded, and a release makes room")
    func limit() {
        let limiter = ConcurrencyLimiter(limit: 2)
        #expect(limiter.tryAcquire() && limiter.tryAcquire())
        #expect(!limiter.tryAcquire())
        limiter.release()
        #expect(limiter.tryAcquire())
    }
}
