import Testing

@testable import Realtime

/// A socket whose client reads, or does not.
private final class FakeWriter: MessageWriter {
    private(set) var queue: SendQueue!
    private(set) var isDropped = false
    private var written: [Int] = []
    var reads = true

    init(_ outbox: Outbox) { queue = SendQueue(outbox, self) }

    /// Returns false if the message was refused.
    func send(_ size: Int) -> Bool {
        guard queue.admits(size) else { return false }
        guard !isDropped else { return true }
        written.append(size)
        queue.add(size)
        return true
    }

    func flush() { if reads { forget() } }

    func drop() {
        isDropped = true
        forget()
    }

    private func forget() {
        for size in written { queue.remove(size) }
        written = []
    }
}

@Suite("Realtime / queues")
struct SendQueueTests {
    private static func outbox(_ bytes: Int, inAll: Int = 1_000_000) -> Outbox {
        var limits = Limits()
        (limits.queuedBytes, limits.queuedBytesInAll) = (bytes, inAll)
        return Outbox(limits)
    }

    @Test("a client that reads gets any number of messages before the next flush")
    func reader() {
        let outbox = Self.outbox(10_000)
        let writer = FakeWriter(outbox)
        #expect((0..<1_000).allSatisfy { _ in writer.send(1_000) })
        outbox.flush()
        #expect(outbox.bytes == 0 && writer.queue.bytes == 0 && outbox.waiting.isEmpty)
    }

    @Test("the queue of a client that does not read is bounded, but takes one message of any size")
    func slowReader() {
        let outbox = Self.outbox(10_000)
        let writer = FakeWriter(outbox)
        writer.reads = false
        #expect(writer.send(20_000) && !writer.send(1))
        writer.reads = true
        #expect(writer.send(1))
    }

    @Test("short messages count what is kept for each")
    func shortMessages() {
        let writer = FakeWriter(Self.outbox(10_000))
        writer.reads = false
        #expect((0..<100).count { _ in writer.send(1) } == 19)
    }

    @Test("when all queues together are too large, the largest are dropped and the others stay")
    func total() {
        let outbox = Self.outbox(100_000, inAll: 400_000)
        let small = FakeWriter(outbox)
        let large = (0..<4).map { _ in FakeWriter(outbox) }
        let late = FakeWriter(outbox)
        for writer in [small] + large { writer.reads = false }
        #expect(small.send(1_000))
        for writer in large { #expect(writer.send(95_000)) }
        outbox.flush()
        #expect(late.send(50_000) && !late.isDropped && !small.isDropped)
        #expect(large.count { $0.isDropped } == 2 && outbox.bytes <= 300_000)
    }

    @Test("messages of any size do not exceed the sum")
    func largeMessages() {
        let outbox = Self.outbox(100_000, inAll: 1_000_000)
        let writers = (0..<10).map { _ in FakeWriter(outbox) }
        for writer in writers {
            writer.reads = false
            #expect(writer.send(400_000) && outbox.bytes <= 1_000_000)
        }
    }
}
