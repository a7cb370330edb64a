import JSON

/// What surrounds the payload of a message to a client: JSON text before and after it.
struct MessageEnvelope {
    private let before: [UInt8]
    private let after: [UInt8]

    /// In the framing with objects `ref` is always present: supabase-py drops a message without it.
    init(
        _ version: ProtocolVersion, topic: String, event: ServerEvent, joinRef: JSON = .null, ref: JSON = .null
    ) {
        let event = JSON.string(event.rawValue)
        switch version {
        case .objects:
            before = Self.joined(
                "{\"topic\":", JSON.string(topic), ",\"event\":", event, ",\"ref\":", ref, ",\"join_ref\":", joinRef,
                ",\"payload\":")
            after = Array("}".utf8)
        case .arrays:
            before = Self.joined("[", joinRef, ",", ref, ",", JSON.string(topic), ",", event, ",")
            after = Array("]".utf8)
        }
    }

    /// The message with a payload, which is JSON text in parts.
    func message(_ payload: [[UInt8]]) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(before.count + payload.reduce(0) { $0 + $1.count } + after.count)
        message += before
        for part in payload { message += part }
        message += after
        return message
    }

    private static func joined(_ parts: any Part...) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts { bytes += part.jsonText }
        return bytes
    }
}

/// JSON text, or a value that becomes it.
private protocol Part {
    var jsonText: [UInt8] { get }
}

extension String: Part {
    var jsonText: [UInt8] { Array(utf8) }
}

extension JSON: Part {
    var jsonText: [UInt8] { bytes }
}
