/// What waits to be sent to one socket.
///
/// Only what the kernel does not take counts against the limits. So a change of many rows at once does not close the
/// socket of a client that reads.
public final class SendQueue {
    private let outbox: Outbox
    private weak var writer: (any MessageWriter)?
    /// The messages that wait, and what is kept for each, in bytes.
    public private(set) var bytes = 0
    private var isFlushed = true

    /// What is kept for a message besides its text: its frame, its promise and its place in the queue.
    private static let bytesPerMessage = 512

    public init(_ outbox: Outbox, _ writer: any MessageWriter) {
        self.outbox = outbox
        self.writer = writer
    }

    /// Whether another message fits. One always fits into an empty queue, however large it is. If the queues of all
    /// sockets become too large, the largest are dropped, which may be this one.
    ///
    /// - Parameter size: the message's length in bytes.
    public func admits(_ size: Int) -> Bool {
        let added = size + Self.bytesPerMessage
        if !hasRoom(for: added) { flush() }
        guard hasRoom(for: added) else { return false }
        outbox.makeRoom(for: added)
        return true
    }

    /// Whether so much waits that changes should come more slowly.
    var isLarge: Bool { bytes > outbox.limits.queuedBytes / 4 }

    private func hasRoom(for added: Int) -> Bool { bytes == 0 || bytes + added <= outbox.limits.queuedBytes }

    /// Notes that a message of some bytes was written.
    public func add(_ size: Int) {
        bytes += size + Self.bytesPerMessage
        outbox.bytes += size + Self.bytesPerMessage
        if isLarge { outbox.growing[ObjectIdentifier(self)] = self }
        guard isFlushed else { return }
        isFlushed = false
        outbox.unflushed.append(self)
    }

    /// Notes that a message of some bytes was sent or dropped.
    public func remove(_ size: Int) {
        bytes -= size + Self.bytesPerMessage
        outbox.bytes -= size + Self.bytesPerMessage
        if bytes == 0 { outbox.waiting[ObjectIdentifier(self)] = nil }
        if !isLarge { outbox.growing[ObjectIdentifier(self)] = nil }
    }

    func flush() {
        isFlushed = true
        writer?.flush()
        if bytes > 0 { outbox.waiting[ObjectIdentifier(self)] = self }
    }

    func drop() { writer?.drop() }
}

/// A socket, as its queue sees it.
public protocol MessageWriter: AnyObject {
    /// Gives the messages to the kernel. The queue has been told of each that the kernel took when this returns.
    func flush()
    /// Ends the connection at once. The queue has been told of all messages when this returns.
    func drop()
}
