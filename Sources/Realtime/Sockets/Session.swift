import JSON

/// What the server knows of a socket.
public final class Session {
    let peer: any Peer
    let version: ProtocolVersion
    /// Whose changes the API key of the connection shows. It applies to joins without a token.
    let key: Subscriber
    /// A socket has few channels, so they are searched one by one.
    var channels: [Channel] = []
    var messages: RateCount
    var bytes: RateCount
    /// When the last frame arrived, in milliseconds of uptime.
    var heardAt: Int
    var isPinged = false
    /// Whether a message could not be sent because too much waits already.
    var isOverflowing = false
    private var lastBindingID = 0

    init(_ peer: any Peer, _ version: ProtocolVersion, key: Subscriber, _ limits: Limits, at now: Moment) {
        self.peer = peer
        self.version = version
        self.key = key
        messages = RateCount(limits.messages, at: now)
        bytes = RateCount(limits.bytes, at: now)
        heardAt = now.uptime
    }

    func channel(_ topic: String) -> Int? { channels.firstIndex { $0.has(topic) } }

    /// The rows that its channels watch, each with the number of bindings.
    var watchedRows: [Subscriber.Rows: Int] {
        var watched: [Subscriber.Rows: Int] = [:]
        for channel in channels where channel.watches && channel.subscriber.rows != .none {
            watched[channel.subscriber.rows, default: 0] += channel.bindings.count
        }
        return watched
    }

    func nextBindingID() -> Int {
        lastBindingID += 1
        return lastBindingID
    }

    /// Answers a message.
    func reply(to message: ClientMessage, _ payload: [UInt8]) {
        send(
            MessageEnvelope(version, topic: message.topic, event: .reply, joinRef: message.joinRef, ref: message.ref)
                .message([payload]))
    }

    /// Sends a message to a channel.
    func push(_ event: ServerEvent, _ payload: [UInt8]..., to channel: Channel, ref: JSON = .null) {
        send(
            MessageEnvelope(version, topic: channel.topic, event: event, joinRef: channel.joinRef, ref: ref)
                .message(payload))
    }

    private func send(_ message: [UInt8]) {
        if !peer.send(message) { isOverflowing = true }
    }
}
