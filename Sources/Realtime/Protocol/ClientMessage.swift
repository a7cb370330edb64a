import JSON

/// A message from a client.
public struct ClientMessage: Equatable, Sendable {
    /// Identifies the join that the message belongs to: a string, a number or null.
    public var joinRef: JSON
    /// Identifies the message, so that the client recognises the reply: a string, a number or null.
    public var ref: JSON
    public var topic: String
    public var event: String
    public var payload: JSON

    public init(joinRef: JSON = .null, ref: JSON = .null, topic: String, event: String, payload: JSON = .object([])) {
        self.joinRef = joinRef
        self.ref = ref
        self.topic = topic
        self.event = event
        self.payload = payload
    }

    /// Returns nil if the text is not JSON or not a message.
    ///
    /// - Parameter text: valid UTF-8.
    public init?(_ text: [UInt8], _ version: ProtocolVersion) {
        guard let json = JSON(parsing: text) else { return nil }
        let parts: [JSON?]
        switch version {
        case .objects: parts = ["join_ref", "ref", "topic", "event", "payload"].map { json[$0] }
        case .arrays:
            guard let array = json.array, array.count >= 5 else { return nil }
            parts = array
        }
        guard let topic = parts[2]?.string, let event = parts[3]?.string,
            let joinRef = Self.reference(parts[0]), let ref = Self.reference(parts[1])
        else { return nil }
        self.init(joinRef: joinRef, ref: ref, topic: topic, event: event, payload: parts[4] ?? .object([]))
    }

    /// The longest text of a reference, in bytes. Clients count, so theirs have a few digits.
    private static let maxReferenceBytes = 64

    /// The value of a reference, which is sent back; nil for a value that cannot be one.
    private static func reference(_ value: JSON?) -> JSON? {
        switch value {
        case nil, .null: .null
        case .string(let text): text.utf8.count <= maxReferenceBytes ? value : nil
        case .number: value
        case .bool, .array, .object: nil
        }
    }
}
