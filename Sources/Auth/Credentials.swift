import HTTP

/// Finds out who the caller is: the `apikey` says which client, the bearer token which user. A thread's own: it
/// remembers the tokens it has verified.
public struct Credentials {
    private let keys: TokenKeys
    private let anonKey: String
    private let anonCaller: Caller?
    private var verified = VerifiedTokens()

    public init(_ keys: TokenKeys) {
        self.keys = keys
        anonKey = keys.apiKeys.anon
        anonCaller = try? keys.verify(anonKey, now: 1_767_225_600)
    }

    /// The caller of a request. A personal API token stands for itself, without a key; whose it is, the database will say.
    ///
    /// - Parameter queryKey: the query parameter `apikey`, which stands in for the header.
    /// - Parameter now: epoch seconds.
    public mutating func caller(_ headers: Headers, queryKey: String?, now: Int) throws(TokenError) -> Caller {
        let bearer = try Self.bearer(headers)
        if let bearer, bearer.hasPrefix(PersonalToken.mark) {
            guard let token = PersonalToken(bearer) else { throw .unknownPersonalToken("The token is unknown, expired or revoked") }
            return Caller(token)
        }
        let client = try client(headers, queryKey: queryKey, now: now)
        guard let bearer else {
            guard headers["authorization"] == nil else { throw .invalidToken("The authorization is no bearer token") }
            return client
        }
        if bearer == anonKey, let anonCaller { return anonCaller }
        return try verified.caller(of: bearer, keys: keys, now: now)
    }

    /// The client of a request by its key alone, whatever its bearer token says: to sign in or to refresh is what one
    /// does when the token at hand is no longer good.
    public func client(_ headers: Headers, queryKey: String?, now: Int) throws(TokenError) -> Caller {
        guard let apikey = headers["apikey"] ?? queryKey, !apikey.isEmpty else { throw .noAPIKey }
        guard headers.values("apikey").count < 2 else { throw .invalidAPIKey }
        return try keyCaller(apikey, now: now)
    }

    /// The token of the one `Authorization: Bearer`; nil where there is no such header, or one of another scheme.
    private static func bearer(_ headers: Headers) throws(TokenError) -> String? {
        guard let authorization = headers["authorization"] else { return nil }
        guard headers.values("authorization").count == 1 else { throw .invalidToken("Two authorizations in one request") }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1]).trimmingBlanks
    }

    /// A key is a token of a role without a user.
    private func keyCaller(_ apikey: String, now: Int) throws(TokenError) -> Caller {
        if apikey == anonKey, let anonCaller { return anonCaller }
        guard let caller = try? keys.verify(apikey, now: now), caller.role != .authenticated else {
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
