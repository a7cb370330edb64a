import JSON

extension ClientMessage {
    /// A broadcast in the binary form that supabase-js uses with arrays. Returns nil for other bytes.
    ///
    /// The form begins with six bytes: the kind 3 and the lengths of five texts. After a byte for the encoding follow
    /// the texts (join_ref, ref, topic, event of the broadcast, metadata) and the payload, which is not read:
    /// broadcasts are acknowledged and dropped.
    public init?(binaryBroadcast bytes: [UInt8]) {
        guard bytes.count >= Self.headerBytes, bytes[0] == Self.userBroadcast else { return nil }
        var position = Self.headerBytes
        var texts: [String] = []
        for length in bytes[1...3] {
            let end = position + Int(length)
            guard end <= bytes.count, let text = String(validating: bytes[position..<end], as: UTF8.self) else {
                return nil
            }
            texts.append(text)
            position = end
        }
        self.init(
            joinRef: texts[0].isEmpty ? .null : .string(texts[0]), ref: texts[1].isEmpty ? .null : .string(texts[1]),
            topic: texts[2], event: ClientEvent.broadcast.rawValue)
    }

    private static let headerBytes = 7
    private static let userBroadcast: UInt8 = 3
}
