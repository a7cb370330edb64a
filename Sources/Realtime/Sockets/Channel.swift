import JSON

/// A topic that a socket has joined.
struct Channel {
    /// Topics of clients begin with it.
    static let topicPrefix = "realtime:"

    let topic: String
    let joinRef: JSON
    let bindings: [Binding]
    /// What the join counts against the limit, in bytes.
    let size: Int
    var subscriber: Subscriber
    /// Whether the client is still to be told that changes arrive.
    var awaitsFeed = false

    /// The topic without its prefix.
    var name: String { String(topic.dropFirst(Self.topicPrefix.count)) }

    /// Whether it needs the feed. Also without a user, because a token may be pushed at any time, and every change that
    /// is committed after that is to arrive.
    var watches: Bool { !bindings.isEmpty }
}
