import Auth
import HTTP
import QRCodes
import REST
import Search

/// Answers the routes below `/auth/v1/`: calls the function of `Accounts` that belongs to a route, with the parts of
/// the request that it needs.
struct AuthEndpoint {
    private let accounts: Accounts
    private let request: Request
    private let caller: Caller

    /// - Parameters:
    ///   - caller: with the user's id, also for a personal API token.
    ///   - now: epoch seconds.
    init(
        _ request: Request, _ route: AuthRoute, _ caller: Caller, _ rules: Accounts.Rules, _ database: RetryingDatabase,
        now: Int
    ) {
        self.request = request
        self.caller = caller
        let origin = Accounts.RequestOrigin(userAgent: request.headers["user-agent"], address: request.remoteAddress)
        accounts = Accounts(
            rules, from: origin, now: now,
            transactions: AccountsTransaction(caller, route, request, origin, database: database))
    }

    func respond(to route: AuthRoute) throws -> Response {
        // A query that cannot be read must not count as an empty one: a logout without a scope ends every session.
        let query: QueryString
        do { query = try QueryString(request.query) } catch {
            throw AuthError.validationFailed("The query string is malformed")
        }
        let body = request.body
        switch route {
        case .signUp: return try accounts.signUp(body)
        case .token:
            switch query["grant_type"] {
            case "password": return try accounts.signIn(body)
            case "refresh_token": return try accounts.refresh(body)
            default: throw AuthError.unsupportedGrantType
            }
        case .logout: return try accounts.signOut(caller, scope: query["scope"])
        case .recover: return try accounts.recover(body)
        case .resend: return try accounts.resend(body)
        case .verify: return try accounts.verify(body)
        case .verificationPage: return accounts.verificationPage(token: query["token"], type: query["type"])
        case .authorize: throw AuthError.providerDisabled
        case .factors: throw AuthError.factorsDisabled
        case .user: return try accounts.user(caller)
        case .updateUser: return try accounts.update(caller, body)
        case .deleteUser: return try accounts.delete(caller, body)
        case .sessions: return try accounts.sessions(caller)
        case .endSession(let id): return try accounts.endSession(caller, id)
        case .tokens: return try accounts.tokens(caller)
        case .makeToken: return try accounts.makeToken(caller, body)
        case .revokeToken(let id): return try accounts.revokeToken(caller, id)
        case .startPairing: return try accounts.startPairing(caller, body) { QRCode($0)?.svg }
        case .claimPairing: return try accounts.claimPairing(body)
        case .audit: return try accounts.audit(caller)
        case .exports: return try accounts.exports(caller)
        case .startExport: return try accounts.startExport(caller, body, parse: Self.tree(of:))
        case .export(let id): return try accounts.export(caller, id)
        case .exportedFile(let id):
            return try accounts.exportedFile(id, expires: query["expires"], signature: query["signature"])
        case .copies: return try accounts.copies(caller, link: query["link"])
        case .copiedPage(let link):
            return try accounts.copiedPage(link, expires: query["expires"], signature: query["signature"])
        case .health: return accounts.health()
        case .settings: return try accounts.settings()
        case .keys: return Response(status: 200, json: #"{"keys":[]}"#)
        case .admin(let route):
            try accounts.checkAdmin(caller)
            return try admin(route, query)
        }
    }

    /// The tree of a search query, as JSON.
    private static func tree(of query: String) throws -> String {
        do { return String(decoding: try SearchQuery(parsing: query).json.bytes, as: UTF8.self) } catch {
            throw AuthError.validationFailed("\(error.message) The error is at character \(error.place) of the query.")
        }
    }

    private func admin(_ route: AuthRoute.AdminRoute, _ query: QueryString) throws -> Response {
        let body = request.body
        switch route {
        case .users: return try accounts.adminList(page: query["page"], perPage: query["per_page"])
        case .createUser: return try accounts.adminCreate(body)
        case .user(let id): return try accounts.adminUser(id)
        case .updateUser(let id): return try accounts.adminUpdate(id, body)
        case .deleteUser(let id): return try accounts.adminDelete(id, body)
        case .invite: return try accounts.invite(body)
        case .generateLink: return try accounts.generateLink(body)
        case .audit: return try accounts.adminAudit(page: query["page"], perPage: query["per_page"])
        }
    }
}
