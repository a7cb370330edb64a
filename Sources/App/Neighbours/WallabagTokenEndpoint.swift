import Auth
import HTTP
import JSON
import Neighbours
import Postgres

/// Answers `/oauth/v2/token`: signs wallabag's clients in (RFC 6749, 4.3 and 6).
///
/// With a password the client gets a session, as at `/auth/v1/token`. With a personal API token as password it gets this
/// token back, so that it never learns the password. Both are listed and ended on the account page. Lectern knows no
/// clients, so `client_id` and `client_secret` are ignored.
struct WallabagTokenEndpoint {
    private let accounts: Accounts
    private let database: RetryingDatabase
    private let lifetime: Int

    /// - Parameter now: epoch seconds.
    init(_ services: Services, _ database: RetryingDatabase, for request: Request, now: Int) {
        self.database = database
        lifetime = services.accountRules.lifetime
        let origin = Accounts.RequestOrigin(userAgent: request.headers["user-agent"], address: request.remoteAddress)
        accounts = Accounts(
            services.accountRules, from: origin, now: now,
            transactions: AccountsTransaction(.nobody, .token, request, origin, database: database))
    }

    func respond(to request: Request) throws -> Response {
        do {
            let parameters = try Parameters(request)
            switch try parameters.text("grant_type") {
            case "password": return try signIn(parameters, request)
            case "refresh_token": return try refresh(parameters, request)
            default:
                return NeighbourFamily.oauthError(
                    status: 400, "unsupported_grant_type", "The grant type must be password or refresh_token")
            }
        } catch let error as AuthError {
            return Self.response(to: error)
        } catch let error as TokenError {
            return NeighbourFamily.oauthError(status: 400, "invalid_grant", error.message)
        } catch PostgresError.refused(let refusal) where refusal.sqlState == "LT401" {
            return NeighbourFamily.oauthError(status: 400, "invalid_grant", refusal.message)
        } catch let error as NeighbourError {
            return NeighbourFamily.oauthError(status: 400, "invalid_request", error.message)
        }
    }

    private func signIn(_ parameters: Parameters, _ request: Request) throws -> Response {
        guard let name = try parameters.text("username"), let password = try parameters.text("password"),
            !name.isEmpty, !password.isEmpty
        else {
            return NeighbourFamily.oauthError(
                status: 400, "invalid_request", "The parameters username and password are required")
        }
        if let token = PersonalToken(password) { return try response(to: token, of: name, request) }
        let body = JSONText.object([("email", JSONText.string(name)), ("password", JSONText.string(password))])
        return Self.response(to: try accounts.signIn(Array(body.utf8)))
    }

    private func refresh(_ parameters: Parameters, _ request: Request) throws -> Response {
        let text = try parameters.text("refresh_token") ?? ""
        if let token = PersonalToken(text) { return try response(to: token, of: nil, request) }
        let body = JSONText.object([("refresh_token", JSONText.string(text))])
        return Self.response(to: try accounts.refresh(Array(body.utf8)))
    }

    /// The API token itself, if it is valid and belongs to the account with this address.
    private func response(to token: PersonalToken, of email: String?, _ request: Request) throws -> Response {
        let rows = try database.transaction(
            as: Identity(role: "auth_service", applicationName: "lectern \(request.id)"),
            ["select auth.auth_claims(decode(\(token.hash), 'hex'), \(request.remoteAddress))"], isRead: true)
        let caller = try Caller(ofPersonalToken: rows[0].text(0, 0) ?? "", presentedBy: email)
        guard caller.scope != .feed else {
            return NeighbourFamily.oauthError(
                status: 400, "invalid_grant", PersonalToken.Scope.feed.explanation)
        }
        return Self.granted(access: token.text, refresh: token.text, lifetime: lifetime)
    }

    // MARK: - Responses

    /// The answer of the accounts with the members that OAuth has.
    private static func response(to session: Response) -> Response {
        let json = JSON(parsing: session.body)
        guard let access = json?["access_token"]?.string, let refresh = json?["refresh_token"]?.string,
            case .number(let lifetime)? = json?["expires_in"]
        else { return session }
        return granted(access: access, refresh: refresh, lifetime: Int(lifetime))
    }

    private static func granted(access: String, refresh: String, lifetime: Int) -> Response {
        let json = JSONText.object([
            ("access_token", JSONText.string(access)), ("expires_in", String(lifetime)),
            ("token_type", JSONText.string("bearer")), ("scope", "null"), ("refresh_token", JSONText.string(refresh)),
        ])
        return Response(
            status: 200, headers: ["content-type": "application/json", "cache-control": "no-store"],
            body: Array(json.utf8))
    }

    private static func response(to error: AuthError) -> Response {
        // Other errors than those of the credentials, such as a missing database, keep their status.
        let status = error.status == 429 || error.status >= 500 ? error.status : 400
        let code = status == 400 ? "invalid_grant" : "temporarily_unavailable"
        var response = NeighbourFamily.oauthError(status: status, code, error.message)
        if case .tooManyAttempts(let seconds) = error { response.headers.set("retry-after", String(seconds)) }
        return response
    }
}

extension WallabagTokenEndpoint {
    /// Whether a request hashes a password.
    static func hashesPassword(_ request: Request) -> Bool {
        guard let parameters = try? Parameters(request), (try? parameters.text("grant_type")) == "password",
            let password = try? parameters.text("password")
        else { return false }
        return PersonalToken(password) == nil
    }
}
