/// The framing of messages, which a client chooses by the query parameter `vsn`.
public enum ProtocolVersion: String, Sendable {
    /// Objects: `{"topic", "event", "payload", "ref", "join_ref"}`.
    case objects = "1.0.0"
    /// Arrays: `[join_ref, ref, topic, event, payload]`.
    case arrays = "2.0.0"

    /// Returns nil for an unknown version.
    ///
    /// - Parameter vsn: the query parameter; objects are meant if it is absent.
    public init?(vsn: String?) {
        guard let vsn, !vsn.isEmpty else {
            self = .objects
            return
        }
        self.init(rawValue: vsn)
    }
}
