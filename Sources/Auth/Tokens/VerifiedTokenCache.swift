/// A cache of the tokens that one thread has verified. A client sends the same token with every request.
///
/// The expiry of a token is checked at every use.
struct VerifiedTokenCache {
    private var callers: [String: Caller] = [:]
    /// The maximum number of tokens in the cache; each takes a few hundred bytes. A full cache is emptied, which costs
    /// one verification per client.
    private static let capacity = 1_000

    /// - Parameter now: epoch seconds.
    mutating func caller(of token: String, keys: JWTKeySet, now: Int) throws(TokenError) -> Caller {
        if let cached = callers[token], cached.expiresAt > now { return cached }
        let caller = try keys.verify(token, now: now)
        if callers.count >= Self.capacity { callers.removeAll(keepingCapacity: true) }
        callers[token] = caller
        return caller
    }
}
