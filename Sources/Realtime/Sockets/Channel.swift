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
    /// Whether the client still has to get the message that changes arrive.
    var awaitsFeed = false

    /// The topic without its prefix.
    var name: String { String(decoding: topic.utf8.dropFirst(Self.topicPrefix.utf8.count), as: UTF8.self) }

    /// Whether it has this topic. `==` would take texts as equal that only look the same, such as `é` in its two forms.
    func has(_ topic: String) -> Bool { self.topic.utf8.elementsEqual(topic.utf8) }

    /// Whether it needs the feed. Also without a user, because a token may be pushed at any time, and every change that
    /// is committed after that is to arrive.
    var watches: Bool { !bindings.isEmpty }
}
