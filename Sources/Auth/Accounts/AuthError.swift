import HTTP
import JSON

/// The errors of the auth API, with GoTrue's codes and messages.
public enum AuthError: Error, Equatable {
    case invalidCredentials
    case unsupportedGrantType
    case validationFailed(String)
    case badJSON
    case anonymousProviderDisabled
    case signupDisabled
    case userAlreadyExists
    case emailExists
    case weakPassword(PasswordPolicy.Weakness)
    case samePassword
    case refreshTokenNotFound
    case refreshTokenAlreadyUsed
    case userBanned
    case emailNotConfirmed
    /// A link or code that never existed, was used, was replaced or has expired.
    case oneTimeTokenExpired
    /// A pairing code that never existed, was used, was replaced or has expired.
    case pairingCodeExpired
    case providerDisabled
    case factorsDisabled
    case noAuthorization
    case badJWT(String)
    /// The bearer token is a token without a user, such as an API key.
    case missingSubject
    case sessionNotFound
    case userNotFound
    /// For admins, who may learn that an account does not exist.
    case noSuchUser
    /// The endpoint requires the service key or an admin.
    case notAdmin
    /// The scope of a personal API token does not permit the request.
    case insufficientScope(String)
    /// The request has no password in this member, and the sign-in was too long ago.
    case reauthenticationNeeded(member: String)
    /// The user has no such session, API token or export.
    case noSuch(String)
    /// The user already has the most sessions, tokens or exports possible.
    case conflict(String)
    /// The client must wait this long before it tries again.
    case tooManyAttempts(seconds: Int)
    case unknownPath
    case unsupportedMethod
    /// An error from outside the auth API, such as a missing database or a body that is too large.
    case failed(status: Int, message: String)

    public var status: Int {
        switch self {
        case .invalidCredentials, .unsupportedGrantType, .validationFailed, .badJSON, .refreshTokenNotFound,
            .refreshTokenAlreadyUsed, .userBanned, .emailNotConfirmed, .providerDisabled, .reauthenticationNeeded:
            400
        case .noAuthorization: 401
        case .badJWT, .missingSubject, .sessionNotFound, .userNotFound, .oneTimeTokenExpired, .pairingCodeExpired,
            .notAdmin, .insufficientScope:
            403
        case .unknownPath, .noSuch, .noSuchUser: 404
        case .unsupportedMethod: 405
        case .conflict: 409
        case .tooManyAttempts: 429
        case .failed(let status, _): status
        case .anonymousProviderDisabled, .signupDisabled, .userAlreadyExists, .emailExists, .weakPassword,
            .samePassword,
            .factorsDisabled:
            422
        }
    }

    public var code: String {
        switch self {
        case .invalidCredentials, .unsupportedGrantType: "invalid_credentials"
        case .validationFailed, .providerDisabled: "validation_failed"
        case .badJSON: "bad_json"
        case .anonymousProviderDisabled: "anonymous_provider_disabled"
        case .signupDisabled: "signup_disabled"
        case .userAlreadyExists: "user_already_exists"
        case .emailExists: "email_exists"
        case .weakPassword: "weak_password"
        case .samePassword: "same_password"
        case .refreshTokenNotFound: "refresh_token_not_found"
        case .refreshTokenAlreadyUsed: "refresh_token_already_used"
        case .userBanned: "user_banned"
        case .emailNotConfirmed: "email_not_confirmed"
        case .oneTimeTokenExpired, .pairingCodeExpired: "otp_expired"
        case .factorsDisabled: "mfa_totp_enroll_not_enabled"
        case .noAuthorization: "no_authorization"
        case .badJWT, .missingSubject: "bad_jwt"
        case .sessionNotFound: "session_not_found"
        case .userNotFound, .noSuchUser: "user_not_found"
        case .notAdmin: "not_admin"
        case .insufficientScope: "insufficient_scope"
        case .reauthenticationNeeded: "reauthentication_needed"
        case .noSuch: "not_found"
        case .conflict: "conflict"
        case .tooManyAttempts, .failed(status: 429, message: _): "over_request_rate_limit"
        case .unknownPath: "not_found"
        case .unsupportedMethod: "method_not_allowed"
        case .failed: "unexpected_failure"
        }
    }

    public var message: String {
        switch self {
        case .invalidCredentials: "Invalid login credentials"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .validationFailed(let reason): reason
        case .badJSON: "Could not parse request body as JSON"
        case .anonymousProviderDisabled: "Anonymous sign-ins are disabled"
        case .signupDisabled: "Signups not allowed for this instance"
        case .userAlreadyExists: "User already registered"
        case .emailExists: "A user with this email address has already been registered"
        case .weakPassword(let weakness): weakness.message
        case .samePassword: "New password should be different from the old password."
        case .refreshTokenNotFound: "Invalid Refresh Token: Refresh Token Not Found"
        case .refreshTokenAlreadyUsed: "Invalid Refresh Token: Already Used"
        case .userBanned: "User is banned"
        case .emailNotConfirmed: "Email not confirmed"
        case .pairingCodeExpired:
            "The code is wrong, used or expired. Make a new one with \"Pair a device\" on the account page."
        case .oneTimeTokenExpired: "Email link is invalid or has expired"
        case .providerDisabled: "Unsupported provider: provider is not enabled"
        case .factorsDisabled: "MFA enroll is disabled"
        case .noAuthorization: "This endpoint requires a valid Bearer token"
        case .badJWT(let reason): "invalid JWT: unable to parse or verify signature, \(reason)"
        case .sessionNotFound: "Session from session_id claim in JWT does not exist"
        case .userNotFound: "User from sub claim in JWT does not exist"
        case .noSuchUser: "User not found"
        case .notAdmin: "User not allowed"
        case .missingSubject: "invalid claim: missing sub claim"
        case .insufficientScope(let reason): reason
        case .reauthenticationNeeded(let member):
            "This requires your password in \"\(member)\", or a sign-in within the last five minutes"
        case .noSuch(let what): "There is no such \(what)"
        case .conflict(let reason): reason
        case .tooManyAttempts(let seconds):
            "Too many attempts. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
        case .unknownPath: "This path does not exist"
        case .unsupportedMethod: "This path does not support this method"
        case .failed(_, let message): message
        }
    }

    /// The response in the shape of the client's API version.
    ///
    /// - Parameter version: the request's `X-Supabase-Api-Version`, if any.
    public func response(version: String?) -> Response {
        var members: [(String, String)] = []
        var headers: Headers = ["x-sb-error-code": code]
        if let version, version >= "2024-01-01" {
            members = [("code", JSONText.string(code)), ("message", JSONText.string(message))]
            headers.add("x-supabase-api-version", "2024-01-01")
        } else {
            members = [
                ("code", String(status)), ("error_code", JSONText.string(code)), ("msg", JSONText.string(message)),
            ]
        }
        if case .weakPassword(let weakness) = self {
            members.append(("weak_password", #"{"reasons":["\#(weakness.rawValue)"]}"#))
        }
        if case .tooManyAttempts(let seconds) = self { headers.add("retry-after", String(seconds)) }
        return Response(status: status, json: JSONText.object(members), headers: headers)
    }
}
