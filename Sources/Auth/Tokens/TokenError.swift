import HTTP

/// The reason why an API key or a token was refused.
public enum TokenError: APIError, Equatable {
    case noAPIKey
    case invalidAPIKey
    /// The token cannot be decoded, or its signature is wrong.
    case invalidToken(String)
    /// A claim is invalid: expired, not yet valid, or of the wrong type.
    case invalidClaims(String)
    case unknownPersonalToken(String)
    /// A request for a book, a feed or a catalog has no credentials that these take.
    case noLibraryCredentials
    /// A request of another reader's client has no token.
    case noToken
    /// The scope of a personal API token does not permit the request.
    case insufficientScope(String)

    /// The token was valid once.
    public static let expired = TokenError.invalidClaims("JWT expired")

    public var status: Int {
        if case .insufficientScope = self { 403 } else { 401 }
    }

    public var code: String {
        switch self {
        case .noAPIKey, .invalidAPIKey: "PGRST301"
        case .invalidToken, .unknownPersonalToken, .noLibraryCredentials, .noToken: "PGRST301"
        case .insufficientScope: "LCT403"
        case .invalidClaims: "PGRST303"
        }
    }

    public var message: String {
        switch self {
        case .noAPIKey: "No API key found in request"
        case .invalidAPIKey: "Invalid API key"
        case .noToken: "The request has no token in the header Authorization"
        case .noLibraryCredentials: "Sign in with your e-mail address, and an API token as password"
        case .invalidToken(let reason), .invalidClaims(let reason), .unknownPersonalToken(let reason),
            .insufficientScope(let reason):
            reason
        }
    }

    public var hint: String? {
        switch self {
        case .noAPIKey: "No `apikey` request header or url param was found."
        case .invalidAPIKey: "Double check your API key."
        default: nil
        }
    }

    /// Why a JSON Web Token was refused; nil for other errors.
    public var invalidTokenReason: String? {
        switch self {
        case .invalidToken(let reason), .invalidClaims(let reason): reason
        default: nil
        }
    }

    /// The value of `WWW-Authenticate` where a program without a sign-in page, such as an e-reader, is to ask its user.
    public static let libraryChallenge = "Basic realm=\"Lectern\""

    /// The value of `WWW-Authenticate` (RFC 6750).
    public var challenge: String {
        switch self {
        case .noAPIKey, .invalidAPIKey, .noToken: "Bearer"
        case .noLibraryCredentials: Self.libraryChallenge
        case .insufficientScope(let reason):
            "Bearer error=\"insufficient_scope\", error_description=\"\(reason.replacing("\"", with: "'"))\""
        case .invalidToken(let reason), .invalidClaims(let reason), .unknownPersonalToken(let reason):
            "Bearer error=\"invalid_token\", error_description=\"\(reason)\""
        }
    }
}
