import HTTP

/// A route of another reader's API.
public enum NeighbourRoute: Equatable, Sendable {
    case wallabag(WallabagRoute)

    /// No route has the path, or not with this method.
    public enum Failure: Error, Equatable {
        case unknown
        case method(allowed: [String])
    }

    /// What a route does, which decides the scopes of API tokens that may use it.
    public enum Kind: Sendable {
        /// Tells nothing of a user: no credentials are needed.
        case open
        case read
        /// Adds links.
        case save
        case write
    }

    /// - Parameter segments: of the path, percent-decoded.
    public init(_ segments: [String], _ request: Request) throws(Failure) {
        self = .wallabag(try WallabagRoute(segments, request))
    }

    public var kind: Kind {
        switch self {
        case .wallabag(let route): route.kind
        }
    }

    /// The family to whose API the route belongs.
    public var family: NeighbourFamily {
        switch self {
        case .wallabag: .wallabag
        }
    }

    /// The route for the request's method.
    ///
    /// - Parameter routes: the routes of a path by method. HEAD is answered as GET.
    static func one<Route>(
        _ request: Request, _ routes: KeyValuePairs<String, Route>
    ) throws(Failure) -> Route {
        let method = request.method == "HEAD" ? "GET" : request.method
        for (name, route) in routes where name == method { return route }
        throw .method(allowed: routes.map(\.key))
    }
}
