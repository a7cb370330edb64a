import NIOCore
import NIOWebSocket

/// Joins the fragments of a message (RFC 6455 section 5.4).
struct Fragments {
    enum Message {
        case text([UInt8])
        case binary([UInt8])
    }

    enum Failure: Error {
        /// A continuation without a beginning, or a new message before the end of the last.
        case outOfOrder
        case tooLarge
    }

    /// The largest frame and the largest message, in bytes. The largest message of a usual client is a join with a
    /// token, about 2 kB.
    static let maxBytes = 65_536

    /// Nil between messages.
    private var opcode: WebSocketOpcode?
    private var bytes: [UInt8] = []

    /// Adds a text, binary or continuation frame. Returns the message if it is complete.
    mutating func add(_ frame: WebSocketFrame) throws(Failure) -> Message? {
        guard (frame.opcode == .continuation) == (opcode != nil) else { throw .outOfOrder }
        let data = frame.unmaskedData
        guard bytes.count + data.readableBytes <= Self.maxBytes else { throw .tooLarge }
        bytes += data.readableBytesView
        let kind = opcode ?? frame.opcode
        guard frame.fin else {
            opcode = kind
            return nil
        }
        defer {
            opcode = nil
            bytes = []
        }
        return kind == .text ? .text(bytes) : .binary(bytes)
    }
}
