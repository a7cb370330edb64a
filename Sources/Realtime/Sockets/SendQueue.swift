/// Counts what waits to be sent to a socket.
public struct SendQueue: Sendable {
    public private(set) var bytes = 0
    public private(set) var messages = 0

    public init() {}

    /// Whether another message fits. One always fits into an empty queue, however large it is.
    ///
    /// - Parameter total: the bytes that wait for all sockets.
    public func admits(_ size: Int, total: Int, _ limits: Limits) -> Bool {
        messages == 0
            || (messages < limits.queuedMessages && bytes + size <= limits.queuedBytes
                && total + size <= limits.queuedBytesInAll)
    }

    public mutating func add(_ size: Int) {
        bytes += size
        messages += 1
    }

    /// Notes that a message was sent.
    public mutating func remove(_ size: Int) {
        bytes -= size
        messages -= 1
    }
}
