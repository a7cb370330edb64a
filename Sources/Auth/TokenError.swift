import HTTP

/// Why a key or a token was not taken.
public enum TokenError: APIError, Equatable {
    case noAPIKey
    case invalidAPIKey
    /// Cannot be decoded or its signature does not fit.
    case invalidToken(String)
    /// A claim says no: expired, not yet valid, of the wrong type.
    case invalidClaims(String)
    case unknownPersonalToken(String)
    /// A personal API token whose scope does not reach.
    case insufficientScope(String)

    public var status: Int {
        if case .insufficientScope = self { 403 } else { 401 }
    }

    public var code: String {
        switch self {
        case .noAPIKey, .invalidAPIKey: "PGRST301"
        case .invalidToken, .unknownPersonalToken: "PGRST301"
        case .insufficientScope: "LCT403"
        case .invalidClaims: "PGRST303"
        }
    }

    public var message: String {
        switch self {
        case .noAPIKey: "No API key found in request"
        case .invalidAPIKey: "Invalid API key"
        case .invalidToken(let why), .invalidClaims(let why), .unknownPersonalToken(let why), .insufficientScope(let why):
            why
        }
    }

    public var hint: String? {
        switch self {
        case .noAPIKey: "No `apikey` request header or url param was found."
        case .invalidAPIKey: "Double check your API key."
        default: nil
        }
    }

    /// The value of `WWW-Authenticate` (RFC 6750).
    public var challenge: String {
        switch self {
        case .noAPIKey, .invalidAPIKey: "Bearer"
        case .insufficientScope(let why):
            "Bearer error=\"insufficient_scope\", error_description=\"\(why.replacing("\"", with: "'"))\""
        case .invalidToken(let why), .invalidClaims(let why), .unknownPersonalToken(let why):
            "Bearer error=\"invalid_token\", error_description=\"\(why)\""
        }
    }
}
