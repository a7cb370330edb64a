import HTTP

/// Why a request does not become a WebSocket.
enum HandshakeError: APIError {
    case unknownPath
    /// A request of another kind, or without the header `Upgrade`.
    case notUpgrade
    case malformed
    case unknownVersion
    case tooManySockets

    var status: Int {
        switch self {
        case .unknownPath: 404
        case .notUpgrade: 426
        case .malformed, .unknownVersion: 400
        case .tooManySockets: 503
        }
    }

    var code: String {
        switch self {
        case .unknownPath: "PGRST125"
        case .notUpgrade: "LCT426"
        case .malformed, .unknownVersion: "LCT400"
        case .tooManySockets: "LCT503"
        }
    }

    var message: String {
        switch self {
        case .unknownPath: "Not found"
        case .notUpgrade: "This path only accepts WebSocket connections"
        case .malformed: "The request is not a WebSocket handshake of version 13"
        case .unknownVersion: "Unknown protocol version; vsn must be 1.0.0 or 2.0.0"
        case .tooManySockets: "Too many connections. Try again in a moment."
        }
    }
}
