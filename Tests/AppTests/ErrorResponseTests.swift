import Auth
import HTTP
import Postgres
import REST
import Testing

@testable import App

@Suite("App / error responses")
struct ErrorResponseTests {
    private func response(
        _ error: any Error, _ family: APIFamily = .rest, version: String? = nil, isAnonymous: Bool = false
    ) -> Response? {
        ErrorResponse(family: family, apiVersion: version)(error, isAnonymous: isAnonymous)
    }

    private func body(_ response: Response?) -> String { String(decoding: response?.body ?? [], as: UTF8.self) }

    private func refused(_ sqlState: String) -> PostgresError { .refused(.init(sqlState: sqlState, message: "m")) }

    @Test(
        "an error has the shape of its family",
        arguments: [
            (APIFamily.rest, #"{"code":"LCT403","message":"#),
            (.auth, #"{"code":403,"error_code":"unexpected_failure","msg":"#),
            (.storage, #"{"statusCode":"403","error":"LCT403","message":"#),
            (.functions, #"{"code":"LCT403","message":"#),
        ])
    func shapes(family: APIFamily, start: String) {
        let response = response(ServiceError.forbidden, family)
        #expect(response?.status == 403)
        #expect(body(response).hasPrefix(start))
    }

    @Test(
        "a client with too many requests gets 429 with Retry-After, in the shape of its family",
        arguments: [
            (APIFamily.rest, #"{"code":"LCT429","message":"#), (.other, #"{"code":"LCT429","message":"#),
            (.auth, #"{"code":429,"error_code":"over_request_rate_limit","msg":"#),
            (.storage, #"{"statusCode":"429","error":"LCT429","message":"#),
            (.functions, #"{"code":"TOO_MANY_REQUESTS","message":"#),
        ])
    func tooMany(family: APIFamily, start: String) {
        let response = response(ServiceError.tooManyOfClient, family)
        #expect(response?.status == 429 && response?.headers["retry-after"] == "1")
        #expect(body(response).hasPrefix(start))
    }

    @Test(
        "an unsupported method has the code of its family",
        arguments: [
            (APIFamily.rest, #"{"code":"PGRST117","message":"#), (.other, #"{"code":"PGRST117","message":"#),
            (.auth, #"{"code":405,"error_code":"method_not_allowed","msg":"#),
            (.storage, #"{"statusCode":"405","error":"method_not_allowed","message":"#),
            (.functions, #"{"code":"METHOD_NOT_ALLOWED","message":"#),
        ])
    func methods(family: APIFamily, start: String) {
        let response = response(RouteError.method(family, "PUT", allowed: ["GET"]), family)
        #expect(response?.status == 405)
        #expect(body(response).hasPrefix(start))
    }

    @Test("a missing privilege is 401 without a user and 403 with one")
    func privileges() {
        #expect(response(refused("42501"), isAnonymous: true)?.status == 401)
        #expect(response(refused("42501"))?.status == 403)
    }

    @Test("a shortage of the database is 503 with Retry-After", arguments: ["53300", "57014"])
    func shortage(sqlState: String) {
        let response = response(refused(sqlState))
        #expect(response?.status == (sqlState == "53300" ? 503 : 400))
        #expect((response?.headers["retry-after"] != nil) == (sqlState == "53300"))
        #expect(self.response(PostgresError.unavailable(reason: "secret"))?.status == 503)
        #expect(!body(self.response(PostgresError.unavailable(reason: "secret"))).contains("secret"))
    }

    @Test("the auth API asks to try again when a statement has run out of time", arguments: ["57014", "40P01"])
    func timeouts(sqlState: String) {
        let response = response(refused(sqlState), .auth)
        #expect(response?.status == 503)
        #expect(response?.headers["retry-after"] != nil)
    }

    @Test("faults of the server have no response of their own")
    func faults() {
        #expect(response(refused("XX000")) == nil)
        #expect(response(PostgresError.broken(reason: "x")) == nil)
        #expect(response(refused("42P01"), .auth) == nil)
    }

    @Test("token errors carry a challenge; the auth API has a code of its own for invalid tokens")
    func tokens() {
        #expect(
            response(TokenError.invalidClaims("JWT expired"))?.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        let auth = response(TokenError.invalidClaims("JWT expired"), .auth)
        #expect(auth?.status == 403 && auth?.headers["x-sb-error-code"] == "bad_jwt")
        #expect(response(TokenError.noAPIKey, .auth)?.status == 401)
        #expect(response(refused("LT401"))?.status == 401)
    }

    @Test("e-readers are asked for a password, whatever was wrong with their credentials")
    func basicChallenge() {
        for error in [
            TokenError.noLibraryCredentials, .unknownPersonalToken("m"), .invalidClaims("JWT expired"),
            .invalidToken("m"),
        ] {
            let response = response(error, .library)
            #expect(response?.status == 401)
            #expect(response?.headers["www-authenticate"] == #"Basic realm="Lectern""#)
        }
        let disabled = response(refused("LT401"), .library)
        #expect(disabled?.headers["www-authenticate"] == #"Basic realm="Lectern""#)
    }

    @Test("a scope that does not suffice is 403 in every family, with a challenge")
    func scopes() {
        let error = TokenError.insufficientScope("The scope is \"read\"")
        for family in [APIFamily.rest, .auth, .functions] {
            let response = response(error, family)
            #expect(response?.status == 403)
            #expect(response?.headers["www-authenticate"]?.contains(#"error="insufficient_scope""#) == true)
        }
        #expect(body(response(error)).hasPrefix(#"{"code":"LCT403","message":"The scope is"#))
        #expect(response(error, .auth)?.headers["x-sb-error-code"] == "insufficient_scope")
    }

    @Test("a wrong method names the allowed ones; an offset beyond the rows names their number")
    func headers() {
        #expect(response(RouteError.method(.rest, "PUT", allowed: ["GET", "HEAD"]))?.headers["allow"] == "GET, HEAD")
        #expect(response(QueryError.offsetBeyondTotal(offset: 9, total: 3))?.headers["content-range"] == "*/3")
    }
}
