import Auth
import REST

/// A route answered for a caller.
public enum APIRoute: Equatable, Sendable {
    case restRoot
    case rest(Resource)
    case serverFunction(String)
    case auth(AuthRoute)

    /// The credentials that the route requires.
    var access: AuthRoute.Access {
        if case .auth(let route) = self { route.access } else { .caller }
    }

    /// The scopes of personal API tokens that the route accepts.
    func scopes(_ method: String) -> [PersonalToken.Scope] {
        let isRead = method == "GET" || method == "HEAD"
        switch self {
        case .restRoot: return [.read, .save, .full]
        case .rest(.table("links")) where method == "POST", .rest(.function("save_page")) where method == "POST":
            return [.save, .full]
        case .serverFunction: return [.save, .full]
        case .rest: return isRead ? [.read, .full] : [.full]
        case .auth(let route): return route.scopes
        }
    }
}
