import Glibc

/// The confined process's connection to its parent: standard input and output, one message after the other.
public struct MessagePipe: Sendable {
    public init() {}

    public struct Broken: Error {}

    /// Returns the next message, or nil when the parent has no more or has ended.
    ///
    /// - Parameter most: the length of the longest accepted message, in bytes.
    public func receive(atMost most: Int) throws(Broken) -> Message? {
        guard let head = read(4) else { return nil }
        guard let length = Message.number(head), length <= most, let body = read(length),
            let message = Message(body: body)
        else { throw Broken() }
        return message
    }

    public func send(_ message: Message) throws(Broken) {
        guard let bytes = message.bytes else { throw Broken() }
        var sent = 0
        while sent < bytes.count {
            // The buffer has an address: a message is never empty.
            let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress! + sent, bytes.count - sent) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw Broken()
            }
            sent += count
        }
    }

    private func read(_ count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                // The buffer has an address: the loop runs only when `count` is above 0.
                let read = Glibc.read(STDIN_FILENO, buffer.baseAddress! + filled, count - filled)
                guard read > 0 else {
                    if read < 0, errno == EINTR { continue }
                    break
                }
                filled += read
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
