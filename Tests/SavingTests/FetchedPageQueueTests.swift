import Testing
import Threads

@testable import Saving

@Suite("Saving / fetched pages that wait to be read", .timeLimit(.minutes(5)))
struct FetchedPageQueueTests {
    private let queue = FetchedPageQueue<String>()

    @Test("one page of a user is read at a time, while another user's page is read")
    func turns() throws {
        for page in ["slow", "next"] { queue.append(page, of: "ann") }
        let slow = try #require(queue.take())
        queue.append("later", of: "ben")
        #expect(slow.item == "slow")
        let later = try #require(queue.take())
        #expect(later.item == "later")
        queue.end(slow)
        #expect(queue.take()?.item == "next")
    }

    @Test("pages of different users are read in the order in which they arrived")
    func order() {
        for user in ["ann", "ben", "cem"] { queue.append("page of \(user)", of: user) }
        #expect((0..<3).map { _ in queue.take()?.userID } == ["ann", "ben", "cem"])
    }

    @Test("a stopped queue returns no more pages")
    func stopped() {
        queue.append("page", of: "ann")
        queue.stop()
        #expect(queue.take() == nil)
    }

    /// The page that a thread of its own takes.
    private func taken() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.start { [queue] in continuation.resume(returning: queue.take()?.item) }
        }
    }

    @Test("a thread that waits gets a page when one arrives or its user's page was read, and none when the queue stops")
    func waiting() async throws {
        async let first = taken()
        queue.append("first", of: "ann")
        #expect(await first == "first")

        queue.append("second", of: "ann")
        async let second = taken()
        queue.end(.init(userID: "ann", item: "first"))
        #expect(await second == "second")

        async let none = taken()
        queue.stop()
        #expect(await none == nil)
    }
}
