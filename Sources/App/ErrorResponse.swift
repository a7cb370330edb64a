import Auth
import HTTP
import Postgres
import REST

/// What the application itself cannot do just now, or did not foresee.
enum ServiceError: APIError, Equatable {
    case databaseUnavailable
    /// Logged in full under the request's id; the client sees the id only.
    case unforeseen(requestID: String)
    case tooLarge(limit: Int)
    case tooManyFields
    case incomplete
    case malformed
    /// More requests that hash passwords wait than a worker lets wait.
    case tooManyWaiting
    /// Of `/functions/v1/`.
    case unknownFunction(String)
    case badArguments(String)
    case signInNeeded
    case tooManyQuestions
    case unknownObject
    case forbidden

    var status: Int {
        switch self {
        case .databaseUnavailable, .tooManyWaiting: 503
        case .unforeseen: 500
        case .tooLarge: 413
        case .tooManyFields: 431
        case .incomplete, .malformed, .badArguments: 400
        case .signInNeeded: 401
        case .tooManyQuestions: 429
        case .unknownFunction, .unknownObject: 404
        case .forbidden: 403
        }
    }

    var code: String {
        switch self {
        case .databaseUnavailable: "PGRST000"
        case .unforeseen: "LCT500"
        case .tooLarge: "LCT413"
        case .tooManyFields: "LCT431"
        case .incomplete, .malformed: "LCT400"
        case .tooManyWaiting: "LCT503"
        case .unknownFunction: "NOT_FOUND"
        case .badArguments: "BAD_REQUEST"
        case .signInNeeded: "UNAUTHORIZED"
        case .tooManyQuestions: "TOO_MANY_REQUESTS"
        case .unknownObject: "LCT404"
        case .forbidden: "LCT403"
        }
    }

    var message: String {
        switch self {
        case .databaseUnavailable: "The database is not available just now"
        case .unforeseen(let id): "Something went wrong on the server (request \(id))"
        case .tooLarge(let limit): "The body is larger than \(limit) bytes"
        case .tooManyFields: "The request has too many header fields"
        case .incomplete: "The body did not arrive whole"
        case .malformed: "The request is malformed"
        case .tooManyWaiting: "Too many people sign in or up at once; try again in a moment"
        case .unknownFunction(let name): "There is no function \(name)"
        case .badArguments(let what): what
        case .signInNeeded: "Sign in to use this function"
        case .tooManyQuestions: "Too many questions at once; ask again in a moment"
        case .unknownObject: "Object not found"
        case .forbidden: "This is not for you to see"
        }
    }

    var hint: String? {
        self == .databaseUnavailable ? "try again in a moment" : nil
    }
}

/// The one place where an error becomes an answer.
struct ErrorResponse {
    let area: Area
    /// The request's `X-Supabase-Api-Version`, which decides the shape under `/auth/`.
    let apiVersion: String?

    /// The answer to an error; nil for one that nobody foresaw.
    func callAsFunction(_ error: any Error, isAnonymous: Bool) -> Response? {
        switch error {
        case let error as AuthError: error.response(version: apiVersion)
        case let error as TokenError: token(error)
        case let error as RouteError: routed(error)
        case let error as QueryError: queried(error)
        case ServiceError.tooManyWaiting: shaped(ServiceError.tooManyWaiting, retryAfter: true)
        case let error as any APIError: shaped(error)
        case PostgresError.unavailable: shaped(ServiceError.databaseUnavailable, retryAfter: true)
        case PostgresError.nulInText where area == .auth:
            AuthError.validationFailed("Text must not hold a NUL character").response(version: apiVersion)
        case PostgresError.nulInText: shaped(QueryError.badBody("Text must not hold a NUL character"))
        case PostgresError.refused(let refusal) where refusal.sqlState == "LT401":
            token(.unknownPersonalToken(refusal.message))
        case PostgresError.refused(let refusal) where refusal.sqlState == "LT403":
            token(.insufficientScope(refusal.message))
        case PostgresError.refused(let refusal): refused(refusal, isAnonymous: isAnonymous)
        default: nil
        }
    }

    private func queried(_ error: QueryError) -> Response {
        var response = shaped(error)
        // How much there is, for whoever asked beyond it (RFC 9110, 14.4).
        if case .offsetBeyondTotal(_, let total) = error { response.headers.set("content-range", "*/\(total)") }
        return response
    }

    private func token(_ error: TokenError) -> Response {
        // Keys are refused in the same words in every area, as by a gateway before them all.
        var response = error == .noAPIKey || error == .invalidAPIKey ? Response(error: error) : shaped(error)
        response.headers.set("www-authenticate", error.challenge)
        return response
    }

    private func routed(_ error: RouteError) -> Response {
        var response =
            switch (error.area, error) {
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
        case .request where area != .auth: return shaped(DatabaseError(refusal, isAnonymous: isAnonymous))
        case .request:
            // What the auth statements can meet is bad text in a form; everything else there is unforeseen.
            guard refusal.sqlState.hasPrefix("22") || refusal.sqlState.hasPrefix("23") else { return nil }
            return AuthError.validationFailed("A value cannot be stored").response(version: apiVersion)
        case .shortage: return shaped(ServiceError.databaseUnavailable, retryAfter: true)
        case .fault: return nil
        }
    }

    /// An error in the shape of its area.
    func shaped(_ error: any APIError, retryAfter: Bool = false) -> Response {
        var response: Response
        switch area {
        case .rest, .other: response = Response(error: error)
        case .auth:
            response = AuthError.failed(status: error.status, message: error.message).response(version: apiVersion)
        case .storage:
            response = Response(
                status: error.status,
                json: JSONText.object([
                    ("statusCode", JSONText.string(String(error.status))),
                    ("error", JSONText.string(error.status == 404 ? "not_found" : error.code)),
                    ("message", JSONText.string(error.message)),
                ]))
        case .functions:
            response = Response(
                status: error.status,
                json: JSONText.object([
                    ("code", JSONText.string(error.status == 404 ? "NOT_FOUND" : error.code)),
                    ("message", JSONText.string(error.message)),
                ]))
        }
        if retryAfter || error.status == 429 { response.headers.set("retry-after", "1") }
        return response
    }
}
