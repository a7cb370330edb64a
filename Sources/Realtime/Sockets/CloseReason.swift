/// Why the server closes a socket.
public enum CloseReason: String, Sendable, CaseIterable {
    /// The client has sent nothing for too long.
    case dead
    /// A frame that is not allowed.
    case protocolError = "protocol"
    /// A binary frame.
    case binary
    /// Text that is not UTF-8 or not a message.
    case malformed
    /// More messages or bytes than the limit.
    case tooManyMessages = "too_many_messages"
    /// A frame or a fragmented message that is larger than the limit.
    case tooLarge = "too_large"
    /// The server stops or restarts.
    case restart
    /// The client reads more slowly than changes arrive.
    case slowReader = "slow_reader"
    /// The change log could not be read for so long that changes may be missing.
    case gap

    /// The code of the close frame (RFC 6455 section 7.4, IANA).
    public var code: UInt16 {
        switch self {
        case .dead: 1001
        case .protocolError: 1002
        case .binary: 1003
        case .malformed: 1007
        case .tooManyMessages: 1008
        case .tooLarge: 1009
        case .restart: 1012
        case .slowReader, .gap: 1013
        }
    }

    /// The text of the close frame, at most 123 bytes.
    public var text: String {
        switch self {
        case .dead: "no frame for 60 seconds"
        case .protocolError: "protocol error"
        case .binary: "binary frames are not supported"
        case .malformed: "not a message"
        case .tooManyMessages: "too many messages or bytes"
        case .tooLarge: "message too large"
        case .restart: "the service restarts; connect again"
        case .slowReader: "changes were not read in time; connect again and catch up with rpc/changes"
        case .gap: "changes may be missing; connect again and catch up with rpc/changes"
        }
    }
}
