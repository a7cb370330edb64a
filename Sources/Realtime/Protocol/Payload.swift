import JSON

/// The payloads of messages that answer a client, as JSON text.
enum Payload {
    static let empty = Array("{}".utf8)

    /// The reply to a message that has succeeded.
    static func ok(_ response: JSON = .object([])) -> [UInt8] { reply("ok", response) }

    /// The reply to a message that was refused.
    static func error(_ reason: String) -> [UInt8] { reply("error", .object([.init("reason", .string(reason))])) }

    /// The message that says whether the changes of a channel arrive.
    ///
    /// - Parameter channel: the topic without its prefix.
    static func system(_ status: String, extension name: String, message: String, channel: String) -> [UInt8] {
        JSON.object([
            .init("status", .string(status)), .init("extension", .string(name)), .init("message", .string(message)),
            .init("channel", .string(channel)),
        ]).bytes
    }

    private static func reply(_ status: String, _ response: JSON) -> [UInt8] {
        JSON.object([.init("status", .string(status)), .init("response", response)]).bytes
    }
}
