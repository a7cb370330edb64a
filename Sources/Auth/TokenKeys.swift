/// The key that signs, and those it has replaced, which are taken for a while longer.
public struct TokenKeys: Sendable {
    let current: TokenKey
    private let previous: [Previous]

    /// Bytes of the shortest secret that is taken as one.
    private static let shortestSecret = 32

    /// A key that signs no more.
    public struct Previous: Sendable {
        var key: TokenKey
        /// Epoch seconds.
        var until: Int
    }

    /// - Parameters:
    ///   - secret: at least 32 bytes of randomness, as text.
    ///   - previous: comma list of `secret@epoch`: what was the secret before, and until when it is taken.
    public init(secret: String, previous: [String] = []) {
        current = TokenKey(secret: secret)
        self.previous = previous.compactMap { entry in
            guard let at = entry.lastIndex(of: "@"), entry[..<at].utf8.count >= Self.shortestSecret, let until = Int(entry[entry.index(after: at)...]) else { return nil }
            return Previous(key: TokenKey(secret: String(entry[..<at])), until: until)
        }
    }

    /// Those that are taken at a time, the current one first.
    func all(now: Int) -> [TokenKey] { [current] + previous.filter { $0.until > now }.map(\.key) }

    /// The keys of clients.
    public var apiKeys: APIKeys { APIKeys(current) }

    /// The caller a token stands for; by whichever key signed it.
    ///
    /// - Parameter now: epoch seconds.
    public func verify(_ token: String, now: Int) throws(TokenError) -> Caller {
        do {
            return try current.verify(token, now: now)
        } catch .invalidToken(let why) {
            for older in previous where older.until > now {
                do {
                    var caller = try older.key.verify(token, now: now)
                    // What was verified is remembered no longer than its key is good.
                    caller.expiresAt = min(caller.expiresAt, older.until)
                    return caller
                } catch .invalidToken {
                    continue
                }
            }
            throw .invalidToken(why)
        }
    }

    public func sign(payload: String) -> String { current.sign(payload: payload) }
}
