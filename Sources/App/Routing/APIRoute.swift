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
}
