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

    /// Reads the first messages.
    func read(_ count: Int) {
        for size in written.prefix(count) { queue.remove(size) }
        written.removeFirst(count)
    }

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
    private static let start = Moment(microseconds: 0, uptime: 0)

    private static func outbox(_ bytes: Int, inAll: Int = 10_000_000) -> Outbox {
        var limits = Limits()
        (limits.queuedBytes, limits.queuedBytesInAll) = (bytes, inAll)
        limits.pauses = .init(burst: 3, perSecond: 0)
        return Outbox(limits, at: start)
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

    @Test("changes wait for a client that reads, but not for one that does not")
    func pauses() {
        let outbox = Self.outbox(1_000_000)
        let (reader, idle, other) = (FakeWriter(outbox), FakeWriter(outbox), FakeWriter(outbox))
        for writer in [reader, idle, other] { writer.reads = false }
        #expect(other.send(200_000) && !outbox.needsPause)
        for _ in 0..<10 { #expect(reader.send(40_000) && idle.send(40_000)) }
        #expect(outbox.needsPause)
        outbox.flush()
        var pause = outbox.pause(at: Self.start)
        #expect(!pause.isOver)
        reader.read(2)
        outbox.examine(&pause, at: Self.start)
        #expect(!pause.isOver)
        // The queue is no longer large.
        reader.read(2)
        outbox.examine(&pause, at: Self.start)
        #expect(pause.isOver)
    }

    @Test("a client that has read everything at once needs no pause")
    func noPause() {
        let outbox = Self.outbox(1_000_000)
        let reader = FakeWriter(outbox)
        for _ in 0..<20 { #expect(reader.send(40_000)) }
        outbox.flush()
        #expect(outbox.pause(at: Self.start).isOver)
    }

    @Test("replies make no pause")
    func replies() {
        let outbox = Self.outbox(1_000_000)
        let client = FakeWriter(outbox)
        client.reads = false
        for _ in 0..<20 { #expect(client.send(40_000)) }
        outbox.beginChanges()
        #expect(!outbox.needsPause && outbox.pause(at: Self.start).isOver)
    }

    @Test("pauses end when they have taken too much time")
    func longPause() {
        let outbox = Self.outbox(1_000_000)
        let reader = FakeWriter(outbox)
        reader.reads = false
        for _ in 0..<20 { #expect(reader.send(40_000)) }
        var pause = outbox.pause(at: Self.start)
        var count = 0
        while !pause.isOver {
            reader.read(1)
            outbox.examine(&pause, at: Self.start)
            count += 1
        }
        #expect(count == 3 && outbox.pause(at: Self.start).isOver)
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
