import Auth
import HTTP
import JSON
import Neighbours
import Postgres
import REST

/// Turns errors into responses, in the shape of the API that the request addressed.
struct ErrorResponse {
    let family: APIFamily
    /// The request's `X-Supabase-Api-Version`, which decides the shape under `/auth/`.
    let apiVersion: String?

    /// The response to an error; nil for an error that has none.
    func callAsFunction(_ error: any Error, isAnonymous: Bool) -> Response? {
        switch error {
        case let error as AuthError: error.response(version: apiVersion)
        case let error as TokenError: token(error)
        case let error as RouteError: routed(error)
        case let error as QueryError: queried(error)
        case ServiceError.tooManyWaiting: shaped(ServiceError.tooManyWaiting, retryAfter: true)
        case let error as any APIError: shaped(error)
        case PostgresError.unavailable: shaped(ServiceError.databaseUnavailable, retryAfter: true)
        case PostgresError.nulInText where family == .auth:
            AuthError.validationFailed("Text must not contain a NUL character").response(version: apiVersion)
        case PostgresError.nulInText: shaped(QueryError.badBody("Text must not contain a NUL character"))
        case PostgresError.refused(let refusal) where refusal.sqlState == "LT401":
            token(.unknownPersonalToken(refusal.message))
        case PostgresError.refused(let refusal): refused(refusal, isAnonymous: isAnonymous)
        default: nil
        }
    }

    private func queried(_ error: QueryError) -> Response {
        var response = shaped(error)
        // Tells the client the number of rows (RFC 9110, 14.4).
        if case .offsetBeyondTotal(_, let total) = error { response.headers.set("content-range", "*/\(total)") }
        return response
    }

    private func token(_ error: TokenError) -> Response {
        if family == .auth, let reason = error.invalidTokenReason {
            return AuthError.badJWT(reason).response(version: apiVersion)
        }
        var response =
            switch error {
            // Errors of API keys have the same shape in every family, as if a gateway in front had sent them.
            case .noAPIKey, .invalidAPIKey: Response(error: error)
            case .insufficientScope(let reason) where family == .auth:
                AuthError.insufficientScope(reason).response(version: apiVersion)
            default: shaped(error)
            }
        if case .neighbour(let family) = family {
            // The users of these clients read what is wrong with a token.
            var shown = error
            if case .invalidToken = error { shown = .invalidToken("The token is not valid.") }
            response = family.response(to: shown, isCredentials: true)
        }
        let asksForPassword = family == .library && error.status == 401
        response.headers.set("www-authenticate", asksForPassword ? TokenError.libraryChallenge : error.challenge)
        return response
    }

    private func routed(_ error: RouteError) -> Response {
        var response =
            switch (error.family, error) {
            case (.auth, .unknown): AuthError.unknownPath.response(version: apiVersion)
            case (.auth, .method): AuthError.unsupportedMethod.response(version: apiVersion)
            case (.storage, .unknown): shaped(ServiceError.unknownObject)
            default: shaped(error)
            }
        if case .method(_, _, let allowed) = error { response.headers.set("allow", allowed.joined(separator: ", ")) }
        return response
    }

    private func refused(_ refusal: PostgresError.Refusal, isAnonymous: Bool) -> Response? {
        switch DatabaseError.cause(of: refusal.sqlState) {
        case .request where family != .auth: return shaped(DatabaseError(refusal, isAnonymous: isAnonymous))
        // The statements of the auth API are our own, so a lack of time or a conflict is not the client's fault.
        case .request where Self.passing.contains(refusal.sqlState):
            return shaped(ServiceError.databaseUnavailable, retryAfter: true)
        case .request:
            // A value in a form can make a statement of the auth API fail. Any other error is unexpected.
            guard refusal.sqlState.hasPrefix("22") || refusal.sqlState.hasPrefix("23") else { return nil }
            return AuthError.validationFailed("A value cannot be stored").response(version: apiVersion)
        case .shortage: return shaped(ServiceError.databaseUnavailable, retryAfter: true)
        case .fault: return nil
        }
    }

    /// Failures that may not happen again: serialization, deadlock, lock timeout, statement timeout.
    private static let passing: Set<String> = ["40001", "40P01", "55P03", "57014"]

    /// An error in the shape of its family.
    func shaped(_ error: any APIError, retryAfter: Bool = false) -> Response {
        var response: Response
        switch family {
        case .rest, .library, .other: response = Response(error: error)
        case .auth:
            response = AuthError.failed(status: error.status, message: error.message).response(version: apiVersion)
        case .neighbour(let family): response = family.response(to: error)
        case .storage:
            response = Response(
                status: error.status,
                json: JSONText.object([
                    ("statusCode", JSONText.string(String(error.status))),
                    ("error", JSONText.string(Self.storageCode(of: error))),
                    ("message", JSONText.string(error.message)),
                ]))
        case .functions:
            response = Response(
                status: error.status,
                json: JSONText.object([
                    ("code", JSONText.string(Self.functionsCode(of: error))),
                    ("message", JSONText.string(error.message)),
                ]))
        }
        if retryAfter || error.status == 429 { response.headers.set("retry-after", "1") }
        return response
    }

    private static func storageCode(of error: any APIError) -> String {
        switch error.status {
        case 404: "not_found"
        case 405: "method_not_allowed"
        default: error.code
        }
    }

    private static func functionsCode(of error: any APIError) -> String {
        switch error.status {
        case 404: "NOT_FOUND"
        case 405: "METHOD_NOT_ALLOWED"
        case 429: "TOO_MANY_REQUESTS"
        default: error.code
        }
    }
}
