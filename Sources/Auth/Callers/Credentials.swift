import HTTP

/// Identifies the caller of a request: the API key identifies the client, the bearer token the user. Each thread has
/// its own, with a cache of verified tokens.
public struct Credentials {
    private let keys: JWTKeySet
    private let anonKey: String
    private let anonCaller: Caller?
    private var verified = VerifiedTokenCache()

    public init(_ keys: JWTKeySet) {
        self.keys = keys
        anonKey = keys.apiKeys.anon
        anonCaller = try? keys.verify(anonKey, now: 1_767_225_600)
    }

    /// The caller of a request. A personal API token needs no API key, and its owner is still to be looked up.
    ///
    /// - Parameters:
    ///   - queryKey: the query parameter `apikey`, which replaces a missing header.
    ///   - now: epoch seconds.
    public mutating func caller(_ headers: Headers, queryKey: String?, now: Int) throws(TokenError) -> Caller {
        let bearer = try Self.bearer(headers)
        if let bearer, bearer.hasPrefix(PersonalToken.textPrefix) {
            guard let token = PersonalToken(bearer) else {
                throw .unknownPersonalToken("The token is unknown, expired or revoked")
            }
            return Caller(token)
        }
        let client = try client(headers, queryKey: queryKey, now: now)
        guard let bearer else {
            guard headers["authorization"] == nil else {
                throw .invalidToken("The authorization is not a bearer token")
            }
            return client
        }
        var caller: Caller
        if bearer == anonKey, let anonCaller {
            caller = anonCaller
        } else {
            caller = try verified.caller(of: bearer, keys: keys, now: now)
        }
        caller.isBearer = true
        return caller
    }

    /// The caller of a book, a feed or a catalog: a user's bearer token without an API key, or HTTP Basic with the e-mail
    /// address as user name and a personal API token as password, which is all that e-readers can send (RFC 7617).
    ///
    /// - Parameter now: epoch seconds.
    public mutating func libraryCaller(_ headers: Headers, now: Int) throws(TokenError) -> Caller {
        guard let authorization = headers["authorization"] else { throw .noLibraryCredentials }
        if let bearer = try Self.bearer(headers) {
            if let token = PersonalToken(bearer) { return Caller(token) }
            var caller = try verified.caller(of: bearer, keys: keys, now: now)
            guard caller.role == .authenticated else { throw .noLibraryCredentials }
            caller.isBearer = true
            return caller
        }
        guard let basic = BasicCredentials(authorization), let token = PersonalToken(basic.password) else {
            throw .noLibraryCredentials
        }
        return Caller(token, presentedBy: basic.user)
    }

    /// The caller of a route of another reader's API: a user's token without an API key.
    ///
    /// - Parameters:
    ///   - scheme: the word before the token, in lower case: `bearer`, or `token`, which takes only personal API tokens.
    ///   - now: epoch seconds.
    public mutating func tokenCaller(_ headers: Headers, scheme: String, now: Int) throws(TokenError) -> Caller {
        guard let text = try Self.token(headers, scheme: scheme) else { throw .noToken }
        guard scheme == "bearer" || PersonalToken(text) != nil else {
            throw .unknownPersonalToken("The token is unknown, expired or revoked")
        }
        return try tokenCaller(text, now: now)
    }

    /// The owner of a token, whichever way it was sent.
    ///
    /// - Parameter now: epoch seconds.
    public mutating func tokenCaller(_ text: String, now: Int) throws(TokenError) -> Caller {
        guard !text.isEmpty else { throw .noToken }
        if let token = PersonalToken(text) { return Caller(token) }
        guard !text.hasPrefix(PersonalToken.textPrefix) else {
            throw .unknownPersonalToken("The token is unknown, expired or revoked")
        }
        var caller = try verified.caller(of: text, keys: keys, now: now)
        guard caller.role == .authenticated else { throw .noToken }
        caller.isBearer = true
        return caller
    }

    /// The owner of a personal API token that was sent with an e-mail address.
    public func libraryCaller(_ token: String, presentedBy email: String) throws(TokenError) -> Caller {
        guard let token = PersonalToken(token) else {
            throw .unknownPersonalToken("The token is unknown, expired or revoked")
        }
        return Caller(token, presentedBy: email)
    }

    /// The caller of a feed or a catalog with a token in its path.
    public func libraryCaller(pathToken: String) throws(TokenError) -> Caller {
        guard let token = PersonalToken(pathToken) else { throw .noLibraryCredentials }
        return Caller(token)
    }

    /// The client of a request, identified by its API key alone. A bearer token is ignored: clients sign in or refresh
    /// when their token has expired.
    public func client(_ headers: Headers, queryKey: String?, now: Int) throws(TokenError) -> Caller {
        guard let apikey = headers["apikey"] ?? queryKey, !apikey.isEmpty else { throw .noAPIKey }
        guard headers.values("apikey").count < 2 else { throw .invalidAPIKey }
        return try keyCaller(apikey, now: now)
    }

    /// The bearer token; nil without the header `Authorization`, and for another scheme.
    private static func bearer(_ headers: Headers) throws(TokenError) -> String? {
        try token(headers, scheme: "bearer")
    }

    private static func token(_ headers: Headers, scheme: String) throws(TokenError) -> String? {
        guard let authorization = headers["authorization"] else { return nil }
        guard headers.values("authorization").count == 1 else {
            throw .invalidToken("The request has more than one Authorization header")
        }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return String(parts[1]).trimmingBlanks
    }

    /// The caller of an API key, which is a token of a role without a user.
    private func keyCaller(_ apikey: String, now: Int) throws(TokenError) -> Caller {
        if apikey == anonKey, let anonCaller { return anonCaller }
        guard let caller = try? keys.verify(apikey, now: now), caller.role != .authenticated else {
            throw .invalidAPIKey
        }
        return caller
    }
}

extension String {
    /// The text without spaces at both ends.
    var trimmingBlanks: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
