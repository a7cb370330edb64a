import CCurl
import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / fetch queue")
struct FetchQueueTests {
    private func fetch(_ url: String) -> QueuedFetch { QueuedFetch(request: FetchRequest(url)) { _ in } }

    @Test("added fetches are taken once, in order, until the queue is closed")
    func take() throws {
        let multi = try #require(curl_multi_init())
        defer { curl_multi_cleanup(multi) }
        let queue = FetchQueue()
        #expect(!queue.add(fetch("early")), "the loop has not started")
        queue.open(waking: multi)
        #expect(queue.add(fetch("a")) && queue.add(fetch("b")))
        #expect(queue.take()?.map(\.request.url) == ["a", "b"])
        #expect(queue.take()?.isEmpty == true)
        #expect(queue.add(fetch("c")))
        queue.close()
        #expect(!queue.add(fetch("d")) && queue.take() == nil)
        #expect(queue.end().map(\.request.url) == ["c"])
    }
}
