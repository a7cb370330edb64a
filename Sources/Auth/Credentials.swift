import HTTP

/// Finds out who the caller is: the `apikey` says which client, the bearer token which user. A thread's own: it
/// remembers the tokens it has verified.
public struct Credentials {
    private let key: TokenKey
    private let anonKey: String
    private let anonCaller: Caller?
    private var verified = VerifiedTokens()

    public init(_ key: TokenKey) {
        self.key = key
        anonKey = APIKeys(key).anon
        anonCaller = try? key.verify(anonKey, now: 1_767_225_600)
    }

    /// The caller of a request.
    ///
    /// - Parameter queryKey: the query parameter `apikey`, which stands in for the header.
    /// - Parameter now: epoch seconds.
    public mutating func caller(_ headers: Headers, queryKey: String?, now: Int) throws(TokenError) -> Caller {
        let client = try client(headers, queryKey: queryKey, now: now)
        guard let authorization = headers["authorization"] else { return client }
        guard headers.values("authorization").count == 1 else { throw .invalidToken("Two authorizations in one request") }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .invalidToken("The authorization is no bearer token")
        }
        let token = String(parts[1]).trimmingBlanks
        if token == anonKey, let anonCaller { return anonCaller }
        return try verified.caller(of: token, key: key, now: now)
    }

    /// The client of a request by its key alone, whatever its bearer token says: to sign in or to refresh is what one
    /// does when the token at hand is no longer good.
    public func client(_ headers: Headers, queryKey: String?, now: Int) throws(TokenError) -> Caller {
        guard let apikey = headers["apikey"] ?? queryKey, !apikey.isEmpty else { throw .noAPIKey }
        return try keyCaller(apikey, now: now)
    }

    /// A key is a token of a role without a user.
    private func keyCaller(_ apikey: String, now: Int) throws(TokenError) -> Caller {
        if apikey == anonKey, let anonCaller { return anonCaller }
        guard let caller = try? key.verify(apikey, now: now), caller.role != .authenticated else {
            throw .invalidAPIKey
        }
        return caller
    }
}

extension String {
    var trimmingBlanks: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
