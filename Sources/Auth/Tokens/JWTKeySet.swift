/// The key that signs tokens, and previous keys that are accepted for some time after a rotation.
public struct JWTKeySet: Sendable {
    let current: JWTKey
    private let previous: [Previous]

    /// The shortest accepted secret, in bytes.
    private static let minSecretBytes = 32

    /// A key that was replaced.
    public struct Previous: Sendable {
        var key: JWTKey
        /// The end of its acceptance, in epoch seconds.
        var until: Int
    }

    /// - Parameters:
    ///   - secret: at least 32 bytes of randomness, as text.
    ///   - previous: entries `secret@epoch`: a previous secret, and the epoch second until which it is accepted.
    public init(secret: String, previous: [String] = []) {
        current = JWTKey(secret: secret)
        self.previous = previous.compactMap { entry in
            guard let at = entry.lastIndex(of: "@"), entry[..<at].utf8.count >= Self.minSecretBytes,
                let until = Int(entry[entry.index(after: at)...])
            else { return nil }
            return Previous(key: JWTKey(secret: String(entry[..<at])), until: until)
        }
    }

    /// The keys that are accepted at a time, the current one first.
    ///
    /// - Parameter now: epoch seconds.
    func all(now: Int) -> [JWTKey] { [current] + previous.filter { $0.until > now }.map(\.key) }

    /// The API keys for clients.
    public var apiKeys: APIKeys { APIKeys(current) }

    /// The caller that a token identifies, whichever accepted key signed it.
    ///
    /// - Parameter now: epoch seconds.
    public func verify(_ token: String, now: Int) throws(TokenError) -> Caller {
        do {
            return try current.verify(token, now: now)
        } catch .invalidToken(let reason) {
            for older in previous where older.until > now {
                do {
                    var caller = try older.key.verify(token, now: now)
                    // A verified token must not be cached longer than its key is accepted.
                    caller.expiresAt = min(caller.expiresAt, older.until)
                    return caller
                } catch .invalidToken {
                    continue
                }
            }
            throw .invalidToken(reason)
        }
    }

    /// A token with these claims, signed by the current key.
    public func sign(payload: String) -> String { current.sign(payload: payload) }
}
