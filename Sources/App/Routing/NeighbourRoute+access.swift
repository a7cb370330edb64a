import Neighbours

extension NeighbourRoute {
    /// The credentials that the route requires.
    var access: AuthRoute.Access {
        switch self {
        case _ where kind == .open: .open
        case .wallabag: .token(scheme: "bearer")
        case .linkding: .token(scheme: "token")
        }
    }
}
