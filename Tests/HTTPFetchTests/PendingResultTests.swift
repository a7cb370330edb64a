import Testing
import Threads

@testable import HTTPFetch

@Suite("HTTPFetch / pending result")
struct PendingResultTests {
    @Test("a waiting thread receives the result of another")
    func wait() throws {
        let pending = PendingResult()
        let thread = try #require(Thread { pending.complete(.failure(.stopped)) })
        #expect(pending.wait() == .failure(.stopped))
        thread.join()
    }
}
