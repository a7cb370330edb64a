import Auth
import HTTP
import Neighbours
import REST

/// Who sent a request, as far as limits on load are concerned.
enum RequestClient: Equatable {
    /// A user, by id, with whichever session or personal API token.
    case user(String)
    /// Anyone without a valid token, by network.
    case network(String)
    /// No limit applies: the service key, a request on the workers' own socket, or a preflight request, which is
    /// answered without work.
    case unlimited

    /// Identifies the client without asking the database.
    ///
    /// A personal API token counts for its network until a request with it has been answered; `TokenOwners` then knows
    /// its user.
    ///
    /// - Parameter now: epoch seconds.
    init(_ request: Request, _ credentials: inout Credentials, _ owners: TokenOwners, now: Int) {
        let isPreflight = request.method == "OPTIONS" && request.headers["access-control-request-method"] != nil
        let caller =
            (try? credentials.caller(request.headers, queryKey: request.queryKey, now: now))
            ?? (try? credentials.libraryCaller(request.headers, now: now))
            ?? (try? credentials.tokenCaller(request.headers, scheme: "token", now: now))
            ?? request.headers["authorization"]?.tokenOfGoogleLogin.flatMap {
                try? credentials.tokenCaller($0, now: now)
            }
            ?? request.cookieToken.flatMap { try? credentials.tokenCaller($0, now: now) }
            ?? request.pathToken.flatMap { try? credentials.libraryCaller(pathToken: $0) }
        if isPreflight || caller?.role == .serviceRole {
            self = .unlimited
        } else if let user = caller?.userID ?? caller?.tokenHash.flatMap({ owners.owner(of: $0) }) {
            self = .user(user)
        } else if let address = request.remoteAddress {
            self = .network(Accounts.RequestOrigin(userAgent: nil, address: address).network)
        } else {
            self = .unlimited
        }
    }
}

extension Request {
    /// The token in the path of a feed or a catalog.
    var pathToken: String? {
        guard path.hasPrefix("/feed/") || path.hasPrefix("/opds/"), case .api(let route)? = try? Route(self) else {
            return nil
        }
        return route.pathToken
    }

    /// The token in the cookie of PullRead's viewer.
    fileprivate var cookieToken: String? {
        path.hasPrefix("/api/") || path.hasPrefix("/favicons/") ? PullReadCookie.token(in: headers) : nil
    }

    /// The query parameter `apikey`, which replaces a missing header.
    var queryKey: String? {
        guard headers["apikey"] == nil else { return nil }
        return (try? QueryString(query))?["apikey"]
    }
}
