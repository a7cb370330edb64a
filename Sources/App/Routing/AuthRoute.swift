import HTTP

/// The routes below `/auth/v1/`: those of GoTrue and those of this product.
public enum AuthRoute: Equatable, Sendable {
    case health, settings, keys
    case signUp, token, logout
    case recover, resend, verify, verificationPage
    case authorize, factors
    case user, updateUser, deleteUser
    case sessions, endSession(String)
    case tokens, makeToken, revokeToken(String)
    case startPairing, claimPairing
    case audit
    case exports, startExport, export(String), exportedFile(String)
    case copies, copiedPage(link: String)
    case admin(AdminRoute)

    /// Routes for admins only.
    public enum AdminRoute: Equatable, Sendable {
        case users, createUser
        case user(String), updateUser(String), deleteUser(String)
        case invite, generateLink, audit
    }

    /// The credentials that a route requires.
    enum Access: Equatable {
        /// None: the link in a mail, a signature in the URL or a code in the body gives access.
        case open
        /// An API key. A bearer token is ignored, because it may be the expired one that the request replaces.
        case key
        /// An API key with an optional user's token, or a personal API token.
        case caller
        /// A user's bearer token, or HTTP Basic with a personal API token.
        case library
        /// A user's token, without an API key, behind this word in the header `Authorization`.
        case token(scheme: String)
        /// A user's bearer token, or the cookie of PullRead's viewer.
        case tokenOrCookie
        /// A user's token as the member `token` of the body.
        case tokenInBody
        /// The user's e-mail address and a personal API token as `Email` and `Passwd` of a form.
        case tokenInForm
        /// A user's token as `Authorization: GoogleLogin auth=<token>`, or as bearer token.
        case googleLogin
    }

    var access: Access {
        switch self {
        case .verificationPage, .authorize, .exportedFile, .copiedPage, .claimPairing: .open
        case .health, .settings, .keys, .signUp, .token, .recover, .resend, .verify: .key
        default: .caller
        }
    }

    /// Whether the endpoint may hash a password.
    var hashesPassword: Bool {
        switch self {
        case .signUp, .token, .updateUser, .deleteUser, .makeToken, .startPairing: true
        case .admin(.createUser), .admin(.updateUser), .admin(.generateLink): true
        default: false
        }
    }

    /// - Parameter path: the segments after `/auth/v1/`; at least one.
    init(_ path: [String], _ request: Request) throws(RouteError) {
        switch (path.count, path[0], path.dropFirst().first ?? "") {
        case (1, "signup", _): self = try Self.one(request, ["POST": .signUp])
        case (1, "token", _): self = try Self.one(request, ["POST": .token])
        case (1, "logout", _): self = try Self.one(request, ["POST": .logout])
        case (1, "recover", _): self = try Self.one(request, ["POST": .recover])
        case (1, "resend", _): self = try Self.one(request, ["POST": .resend])
        case (1, "verify", _): self = try Self.one(request, ["POST": .verify, "GET": .verificationPage])
        case (1, "authorize", _): self = try Self.one(request, ["GET": .authorize])
        case (1, "factors", _): self = try Self.one(request, ["POST": .factors])
        case (1, "user", _): self = try Self.one(request, ["GET": .user, "PUT": .updateUser, "DELETE": .deleteUser])
        case (1, "sessions", _): self = try Self.one(request, ["GET": .sessions])
        case (2, "sessions", let id): self = try Self.one(request, ["DELETE": .endSession(id)])
        case (1, "tokens", _): self = try Self.one(request, ["GET": .tokens, "POST": .makeToken])
        case (2, "tokens", let id): self = try Self.one(request, ["DELETE": .revokeToken(id)])
        case (1, "pairings", _): self = try Self.one(request, ["POST": .startPairing])
        case (2, "pairings", "claim"): self = try Self.one(request, ["POST": .claimPairing])
        case (1, "audit", _): self = try Self.one(request, ["GET": .audit])
        case (1, "exports", _): self = try Self.one(request, ["GET": .exports, "POST": .startExport])
        case (2, "exports", let id): self = try Self.one(request, ["GET": .export(id)])
        case (3, "exports", let id) where path[2] == "file":
            self = try Self.one(request, ["GET": .exportedFile(id), "HEAD": .exportedFile(id)])
        case (1, "copies", _): self = try Self.one(request, ["GET": .copies])
        case (3, "copies", let link) where path[2] == "file":
            self = try Self.one(request, ["GET": .copiedPage(link: link), "HEAD": .copiedPage(link: link)])
        case (1, "health", _): self = try Self.one(request, ["GET": .health])
        case (1, "settings", _): self = try Self.one(request, ["GET": .settings])
        case (2, ".well-known", "jwks.json"): self = try Self.one(request, ["GET": .keys])
        case (1, "invite", _): self = .admin(try Self.one(request, ["POST": .invite]))
        case (2, "admin", "users"): self = .admin(try Self.one(request, ["GET": .users, "POST": .createUser]))
        case (3, "admin", "users"):
            let id = path[2]
            self = .admin(try Self.one(request, ["GET": .user(id), "PUT": .updateUser(id), "DELETE": .deleteUser(id)]))
        case (2, "admin", "generate_link"): self = .admin(try Self.one(request, ["POST": .generateLink]))
        case (2, "admin", "audit"): self = .admin(try Self.one(request, ["GET": .audit]))
        default: throw .unknown(.auth, request.path)
        }
    }

    /// The route for the request's method.
    ///
    /// - Parameter routes: the routes of a path by method.
    private static func one<Route>(
        _ request: Request, _ routes: KeyValuePairs<String, Route>
    ) throws(RouteError) -> Route {
        for (method, route) in routes where method == request.method { return route }
        throw .method(.auth, request.method, allowed: routes.map(\.key))
    }
}
