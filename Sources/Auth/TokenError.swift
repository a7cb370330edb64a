import HTTP

/// Why a key or a token was not taken; always 401.
public enum TokenError: APIError, Equatable {
    case noAPIKey
    case invalidAPIKey
    /// Cannot be decoded or its signature does not fit.
    case invalidToken(String)
    /// A claim says no: expired, not yet valid, of the wrong type.
    case invalidClaims(String)

    public var status: Int { 401 }

    public var code: String {
        switch self {
        case .noAPIKey, .invalidAPIKey: "PGRST301"
        case .invalidToken: "PGRST301"
        case .invalidClaims: "PGRST303"
        }
    }

    public var message: String {
        switch self {
        case .noAPIKey: "No API key found in request"
        case .invalidAPIKey: "Invalid API key"
        case .invalidToken(let why), .invalidClaims(let why): why
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
        case .invalidToken(let why), .invalidClaims(let why):
            "Bearer error=\"invalid_token\", error_description=\"\(why)\""
        }
    }
}
