import Glibc

/// The confined process's end of the way to its parent: standard input and output, one message after another.
public struct MessagePipe: Sendable {
    public init() {}

    public struct Broken: Error {}

    /// The next message; nil when the parent has no more, or is gone.
    ///
    /// - Parameter most: bytes.
    public func receive(atMost most: Int) throws(Broken) -> Message? {
        guard let head = read(4) else { return nil }
        guard let length = Message.number(head), length <= most, let body = read(length), let message = Message(body: body)
        else { throw Broken() }
        return message
    }

    public func send(_ message: Message) throws(Broken) {
        guard let bytes = message.bytes else { throw Broken() }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress! + sent, bytes.count - sent) }  // Not empty.
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
                let read = Glibc.read(STDIN_FILENO, buffer.baseAddress! + filled, count - filled)  // Not empty here.
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
