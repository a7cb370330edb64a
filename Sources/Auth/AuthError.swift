import HTTP

/// What the auth API refuses, in GoTrue's codes and words.
public enum AuthError: Error, Equatable {
    case invalidCredentials
    case unsupportedGrantType
    case validationFailed(String)
    case badJSON
    case anonymousProviderDisabled
    case signupDisabled
    case userAlreadyExists
    case weakPassword
    case refreshTokenNotFound
    case refreshTokenAlreadyUsed
    case noAuthorization
    case badJWT(String)
    case sessionNotFound
    case userNotFound
    case unknownPath
    case unsupportedMethod
    /// What is not the accounts' own to refuse: no database, a body too large.
    case failed(status: Int, message: String)

    public var status: Int {
        switch self {
        case .invalidCredentials, .unsupportedGrantType, .validationFailed, .badJSON, .refreshTokenNotFound,
            .refreshTokenAlreadyUsed:
            400
        case .noAuthorization: 401
        case .badJWT, .sessionNotFound, .userNotFound: 403
        case .unknownPath: 404
        case .unsupportedMethod: 405
        case .failed(let status, _): status
        case .anonymousProviderDisabled, .signupDisabled, .userAlreadyExists, .weakPassword: 422
        }
    }

    public var code: String {
        switch self {
        case .invalidCredentials, .unsupportedGrantType: "invalid_credentials"
        case .validationFailed: "validation_failed"
        case .badJSON: "bad_json"
        case .anonymousProviderDisabled: "anonymous_provider_disabled"
        case .signupDisabled: "signup_disabled"
        case .userAlreadyExists: "user_already_exists"
        case .weakPassword: "weak_password"
        case .refreshTokenNotFound: "refresh_token_not_found"
        case .refreshTokenAlreadyUsed: "refresh_token_already_used"
        case .noAuthorization: "no_authorization"
        case .badJWT: "bad_jwt"
        case .sessionNotFound: "session_not_found"
        case .userNotFound: "user_not_found"
        case .unknownPath: "not_found"
        case .unsupportedMethod: "method_not_allowed"
        case .failed: "unexpected_failure"
        }
    }

    public var message: String {
        switch self {
        case .invalidCredentials: "Invalid login credentials"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .validationFailed(let why): why
        case .badJSON: "Could not parse request body as JSON"
        case .anonymousProviderDisabled: "Anonymous sign-ins are disabled"
        case .signupDisabled: "Signups not allowed for this instance"
        case .userAlreadyExists: "User already registered"
        case .weakPassword: "Password should be at least \(Accounts.shortestPassword) characters."
        case .refreshTokenNotFound: "Invalid Refresh Token: Refresh Token Not Found"
        case .refreshTokenAlreadyUsed: "Invalid Refresh Token: Already Used"
        case .noAuthorization: "This endpoint requires a valid Bearer token"
        case .badJWT(let why): "invalid JWT: unable to parse or verify signature, \(why)"
        case .sessionNotFound: "Session from session_id claim in JWT does not exist"
        case .userNotFound: "User from sub claim in JWT does not exist"
        case .unknownPath: "There is nothing at this path"
        case .unsupportedMethod: "This path does not take this method"
        case .failed(_, let message): message
        }
    }

    /// The error as the client's version of the API has it.
    ///
    /// - Parameter version: the request's `X-Supabase-Api-Version`, if any.
    public func response(version: String?) -> Response {
        let reasons = self == .weakPassword ? [("weak_password", #"{"reasons":["length"]}"#)] : []
        guard let version, version >= "2024-01-01" else {
            let members = [
                ("code", String(status)), ("error_code", JSONText.string(code)), ("msg", JSONText.string(message)),
            ]
            return Response(
                status: status, json: JSONText.object(members + reasons), headers: ["x-sb-error-code": code])
        }
        let members = [("code", JSONText.string(code)), ("message", JSONText.string(message))]
        return Response(
            status: status, json: JSONText.object(members + reasons),
            headers: ["x-sb-error-code": code, "x-supabase-api-version": "2024-01-01"])
    }
}
