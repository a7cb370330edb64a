import Neighbours

extension NeighbourRoute {
    /// The credentials that the route requires.
    var access: AuthRoute.Access {
        switch self {
        case _ where kind == .open: .open
        case .pullRead(.session): .tokenInBody
        case .pullRead(let route) where route.takesCookie: .tokenOrCookie
        // The page of PullRead's viewer asks for it, too.
        case .wallabag(.config): .tokenOrCookie
        case .wallabag, .pullRead: .token(scheme: "bearer")
        case .googleReader(.signIn): .tokenInForm
        case .googleReader: .googleLogin
        case .linkding: .token(scheme: "token")
        }
    }
}
