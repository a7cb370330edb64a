/// Tokens one thread has verified already: a client sends the same one with every request.
///
/// Holds a token no longer than its own expiry allows; whether that has come is asked at every use.
struct VerifiedTokens {
    private var callers: [String: Caller] = [:]
    /// Most tokens kept; a few hundred bytes each. When full it starts anew, which costs one verification a client.
    private static let capacity = 1_000

    mutating func caller(of token: String, keys: TokenKeys, now: Int) throws(TokenError) -> Caller {
        if let known = callers[token], known.expiresAt > now { return known }
        let caller = try keys.verify(token, now: now)
        if callers.count >= Self.capacity { callers.removeAll(keepingCapacity: true) }
        callers[token] = caller
        return caller
    }
}
